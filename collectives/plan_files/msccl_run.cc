#include "collectives/plan_files/msccl_run.h"

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "collectives/plan_files/msccl_memory.h"

namespace gradwire::plan_files {
namespace {

/// Runs the blocks of all GPUs.
class Machine {
 public:
  explicit Machine(const MscclProgram& program) : program_(program) {
    for (std::size_t gpu = 0; gpu < program.gpus.size(); ++gpu) {
      memories_.emplace_back(program, Rank(gpu), trace_);
      done_.emplace_back(program.gpus[gpu].blocks.size());
      for (std::size_t block = 0; block < done_[gpu].size(); ++block)
        ready_.push_back({gpu, block});
    }
  }

  MscclTrace run() {
    while (!ready_.empty()) {
      const BlockId next = ready_.front();
      ready_.pop_front();
      advance(next);
    }
    require_end();
    for (MscclMemory& memory : memories_) memory.finish();
    return std::move(trace_);
  }

 private:
  struct BlockId {
    std::size_t gpu = 0;
    std::size_t block = 0;
  };
  using StepId = std::tuple<std::size_t, std::size_t, std::size_t>;  ///< GPU, block, step
  using Wire = std::tuple<Rank, Rank, std::size_t>;                  ///< sender, receiver, channel
  using Packet = std::vector<std::size_t>;                           ///< messages

  [[nodiscard]] const MscclBlock& block_at(const BlockId& id) const {
    return program_.gpus[id.gpu].blocks[id.block];
  }
  [[nodiscard]] std::size_t& done(const BlockId& id) { return done_[id.gpu][id.block]; }

  void wake(std::vector<BlockId>& waiting) {
    ready_.insert(ready_.end(), waiting.begin(), waiting.end());
    waiting.clear();
  }

  /// Takes the block's steps until one must wait.
  void advance(const BlockId& id) {
    const MscclBlock& block = block_at(id);
    for (std::size_t& next = done(id); next < block.steps.size();) {
      const MscclStep& step = block.steps[next];
      if (step.after && done({id.gpu, step.after->block}) <= step.after->step) {
        after_[{id.gpu, step.after->block, step.after->step}].push_back(id);
        return;
      }
      Packet arriving;
      if (step.work.receives) {
        const Wire wire{*block.receives_from, Rank(id.gpu), block.channel};
        if (wires_[wire].empty()) {
          listeners_[wire].push_back(id);
          return;
        }
        arriving = std::move(wires_[wire].front());
        wires_[wire].pop_front();
      }
      take(id, step, arriving);
      wake(after_[{id.gpu, id.block, next++}]);
    }
  }

  void require_end() const {
    for (std::size_t gpu = 0; gpu < done_.size(); ++gpu) {
      for (std::size_t block = 0; block < done_[gpu].size(); ++block) {
        const std::vector<MscclStep>& steps = block_at({gpu, block}).steps;
        const std::size_t next = done_[gpu][block];
        if (next == steps.size()) continue;
        program_.refuse(steps[next].place,
                        fmt::format("GPU {}, block {}, step {} waits for ever", gpu, block, next));
      }
    }
  }

  void take(const BlockId& id, const MscclStep& step, const Packet& arriving) {
    if (step.work.receives && arriving.size() != step.count) {
      program_.refuse(step.place, fmt::format("receives {} chunks where {} are sent", step.count,
                                              arriving.size()));
    }
    const MscclBlock& block = block_at(id);
    Packet leaving;
    for (std::size_t i = 0; i < step.count; ++i) {
      const MscclHeld value = work(memories_[id.gpu], step, arriving, i);
      if (!step.work.sends) continue;
      const MscclMessage message{.from = Rank(id.gpu),
                                 .to = *block.sends_to,
                                 .channel = block.channel,
                                 .chunk = value->chunk,
                                 .packet = packets_,
                                 .place = step.place};
      leaving.push_back(memories_[id.gpu].send(value, message, step));
    }
    if (!step.work.sends) return;
    ++packets_;
    const Wire wire{Rank(id.gpu), *block.sends_to, block.channel};
    wires_[wire].push_back(std::move(leaving));
    wake(listeners_[wire]);
  }

  /// The value in slot i of the step's at its end, or the value that it sends.
  MscclHeld work(MscclMemory& memory, const MscclStep& step, const Packet& arriving,
                 std::size_t i) {
    const auto at = [i](const MscclSlot& slot) { return MscclSlot{slot.buffer, slot.index + i}; };
    const MscclWork& does = step.work;
    MscclHeld value;
    if (does.receives) {
      const std::size_t message = arriving[i];
      value = std::make_shared<MscclValue>(
          MscclValue{.chunk = trace_.messages[message].chunk, .arrivals = {message}});
      if (does.reduces) value = memory.sum(memory.take(at(step.source), step), value, step);
    } else {
      value = memory.take(at(step.source), step);
      if (does.reduces) value = memory.sum(memory.take(at(step.destination), step), value, step);
    }
    if (does.copies) memory.slot(at(step.destination)) = value;
    return value;
  }

  const MscclProgram& program_;
  MscclTrace trace_;
  std::deque<MscclMemory> memories_;
  std::vector<std::vector<std::size_t>> done_;  ///< number of steps, by GPU and block
  std::deque<BlockId> ready_;
  std::map<StepId, std::vector<BlockId>> after_;    ///< blocks that wait for the step
  std::map<Wire, std::vector<BlockId>> listeners_;  ///< blocks that wait for a packet
  std::map<Wire, std::deque<Packet>> wires_;
  std::size_t packets_ = 0;
};

}  // namespace

MscclTrace run_msccl(const MscclProgram& program) {
  return Machine(program).run();
}

}  // namespace gradwire::plan_files
