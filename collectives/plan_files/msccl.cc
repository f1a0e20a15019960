#include "collectives/plan_files/msccl.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "collectives/plan_files/msccl_program.h"
#include "collectives/plan_files/msccl_run.h"

namespace gradwire::plan_files {
namespace {

using Kind = MscclUse::Kind;

/// An order of things, some of which must happen at least one step after others.
class Precedence {
 public:
  /// An order of the things 0..count-1.
  explicit Precedence(std::size_t count) : next_(count), before_(count) {}

  /// Requires that all of `first` happen at least a step before all of `then`.
  void require(std::span<const std::size_t> first, std::span<const std::size_t> then) {
    const std::size_t between = next_.size();  // a thing that takes no time, so that edges stay few
    next_.emplace_back(then.begin(), then.end());
    before_.push_back(first.size());
    for (const std::size_t thing : first) next_[thing].push_back(between);
    for (const std::size_t thing : then) ++before_[thing];
    first_between_ = std::min(first_between_, between);
  }

  /// The earliest step of each of the first `count` things; kNever for things that wait for each
  /// other.
  [[nodiscard]] std::vector<std::size_t> steps(std::size_t count) const {
    std::vector<std::size_t> left = before_;
    std::vector<std::size_t> step(next_.size(), 0);
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0) ready.push_back(i);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const std::size_t thing = ready[i];
      const std::size_t after = step[thing] + (thing < first_between_ ? 1 : 0);
      for (const std::size_t next : next_[thing]) {
        step[next] = std::max(step[next], after);
        if (--left[next] == 0) ready.push_back(next);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (left[i] > 0) step[i] = kNever;
    }
    step.resize(count);
    return step;
  }

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

 private:
  std::vector<std::vector<std::size_t>> next_;
  std::vector<std::size_t> before_;     ///< by thing: how many must happen first
  std::size_t first_between_ = kNever;  ///< things from here on take no time
};

/// The steps of messages: a message that uses a place in another way than before comes a step
/// later.
std::vector<std::size_t> steps_of(const MscclProgram& program, const MscclTrace& trace) {
  Precedence precedence(trace.messages.size());
  for (const std::vector<MscclUse>& uses : trace.places) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> now;
    Kind kind = Kind::replace;
    for (const MscclUse& use : uses) {
      if (!trace.messages[use.message].is_used) continue;
      if (use.kind != kind || kind == Kind::replace) {
        if (!before.empty() && !now.empty()) precedence.require(before, now);
        before = std::exchange(now, {});
        kind = use.kind;
      }
      now.push_back(use.message);
    }
    if (!before.empty() && !now.empty()) precedence.require(before, now);
  }
  std::vector<std::size_t> steps = precedence.steps(trace.messages.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] != Precedence::kNever || !trace.messages[i].is_used) continue;
    const MscclMessage& message = trace.messages[i];
    program.refuse(
        message.place,
        fmt::format("GPU {} sends chunk {} and must receive it in the same step: a Plan's "
                    "step does one or the other",
                    message.from.index(), message.chunk));
  }
  return steps;
}

/// The lanes, by channel: one for each set of channels that have chunks in common with no other.
class Lanes {
 public:
  explicit Lanes(const MscclTrace& trace) {
    std::map<std::size_t, std::size_t> channel_of;  // a chunk's
    for (const MscclMessage& message : trace.messages) {
      if (!message.is_used) continue;
      parent_.try_emplace(message.channel, message.channel);
      const auto [found, is_new] = channel_of.try_emplace(message.chunk, message.channel);
      if (!is_new) unite(found->second, message.channel);
    }
    for (const auto& [channel, parent] : parent_) {
      if (parent == channel) number_.emplace(channel, number_.size());
    }
  }

  [[nodiscard]] std::size_t count() const { return std::max<std::size_t>(number_.size(), 1); }
  [[nodiscard]] std::size_t of(std::size_t channel) const { return number_.at(root(channel)); }

 private:
  [[nodiscard]] std::size_t root(std::size_t channel) const {
    while (parent_.at(channel) != channel) channel = parent_.at(channel);
    return channel;
  }
  void unite(std::size_t one, std::size_t other) {
    const auto [low, high] = std::minmax({root(one), root(other)});
    parent_[high] = low;
  }

  std::map<std::size_t, std::size_t> parent_;
  std::map<std::size_t, std::size_t> number_;  ///< number of each lane
};

/// Whether the message can be joined to `last`, as its neighbour in one packet.
bool joins(const MscclMessage& message, std::size_t packet, const Transfer& last) {
  return message.packet == packet && message.from == last.from && message.to == last.to &&
         message.how == last.how && message.chunk == last.chunk + last.count;
}

std::vector<FileLane> lanes_of(const MscclProgram& program, const MscclTrace& trace) {
  const std::vector<std::size_t> steps = steps_of(program, trace);
  const Lanes lanes(trace);
  std::vector<FileLane> made(lanes.count());
  std::map<const FileStep*, std::size_t> last_packet;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const MscclMessage& message = trace.messages[i];
    if (!message.is_used) continue;
    FileLane& lane = made[lanes.of(message.channel)];
    if (lane.size() <= steps[i]) lane.resize(steps[i] + 1);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const MscclMessage& message = trace.messages[i];
    if (!message.is_used) continue;
    FileStep& step = made[lanes.of(message.channel)][steps[i]];
    const auto packet = last_packet.find(&step);
    if (packet != last_packet.end() && joins(message, packet->second, step.back())) {
      ++step.back().count;
    } else {
      step.push_back({.from = message.from,
                      .to = message.to,
                      .chunk = message.chunk,
                      .how = message.how,
                      .place = message.place});
    }
    last_packet[&step] = message.packet;
  }
  return made;
}

}  // namespace

PlanFile parse_msccl(std::string_view text, const std::string& file) {
  const MscclProgram program = read_msccl(text, file);
  const std::size_t ranks = program.gpus.size();
  PlanFile plan{.file = file,
                .name = program.name,
                .collective = program.collective,
                .members = ranks,
                .chunks = program.chunks,
                .lanes = lanes_of(program, run_msccl(program))};
  if (program.collective == "all-to-all") plan.chunks *= ranks;
  if (program.collective == "all-gather" || program.collective == "reduce-scatter") {
    for (std::size_t chunk = 0; chunk < plan.chunks; ++chunk) {
      plan.owners.emplace_back(chunk / (plan.chunks / ranks));
    }
  }
  return plan;
}

}  // namespace gradwire::plan_files
