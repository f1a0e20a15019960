#include "transport/lane_program.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "transport/endpoint.h"

namespace gradwire::transport {
namespace {

std::size_t index_of(std::span<const Peer> channels, const Peer& peer) {
  const auto found = std::ranges::find(channels, peer);
  ensure(found != channels.end(), "a lane's channels hold all its peers");
  return static_cast<std::size_t>(found - channels.begin());
}

/// Whether `later`, of a later step, must wait for `earlier` where they overlap.
bool conflict(const Operation& earlier, const Operation& later) {
  using Kind = Operation::Kind;
  if (earlier.kind == Kind::send) return later.kind == Kind::receive;
  if (later.kind == Kind::send) return true;
  return earlier.how == Combine::replace || later.how == Combine::replace;
}

/// The last step before `step` in which something is received.
std::optional<std::size_t> last_receiving_step(std::span<const Operation> operations,
                                               std::size_t step) {
  std::optional<std::size_t> last;
  for (const Operation& operation : operations) {
    if (operation.kind == Operation::Kind::receive && operation.step < step) last = operation.step;
  }
  return last;
}

}  // namespace

std::vector<Peer> channels_of(const Lane& lane) {
  std::vector<Peer> channels;
  const auto note = [&channels](const Peer& peer) {
    if (std::ranges::find(channels, peer) == channels.end()) channels.push_back(peer);
  };
  for (const Step& step : lane) {
    for (const Send& send : step.sends) note(send.to);
    for (const Recv& recv : step.recvs) note(recv.from);
  }
  return channels;
}

std::vector<ChannelUse> channel_use(const Lane& lane, std::span<const Peer> channels) {
  std::vector<ChannelUse> use(channels.size());
  for (const Step& step : lane) {
    for (const Send& send : step.sends) ++use[index_of(channels, send.to)].sends;
    for (const Recv& recv : step.recvs) ++use[index_of(channels, recv.from)].receives;
  }
  return use;
}

LaneProgram::LaneProgram(const Lane& lane, Stepping stepping)
    : LaneProgram(lane, {.first = 0, .count = lane.size()}, stepping) {}

LaneProgram::LaneProgram(const Lane& lane, StepRange steps, Stepping stepping)
    : channels_(channels_of(lane)) {
  queues_.resize(2 * channels_.size());
  for (std::size_t step = steps.first; step < std::min(steps.end(), lane.size()); ++step) {
    for (const Send& send : lane[step].sends) {
      add_operation({.kind = Operation::Kind::send,
                     .channel = index_of(channels_, send.to),
                     .step = step,
                     .extent = send.what,
                     .how = Combine::replace});
    }
    for (const Recv& recv : lane[step].recvs) {
      add_operation({.kind = Operation::Kind::receive,
                     .channel = index_of(channels_, recv.from),
                     .step = step,
                     .extent = recv.where,
                     .how = recv.how});
    }
  }
  add_waits(stepping);
}

std::span<const std::size_t> LaneProgram::queue(std::size_t channel, Operation::Kind kind) const {
  return queues_[2 * channel + static_cast<std::size_t>(kind)];
}

void LaneProgram::add_operation(const Operation& operation) {
  queues_[2 * operation.channel + static_cast<std::size_t>(operation.kind)].push_back(
      operations_.size());
  operations_.push_back(operation);
}

void LaneProgram::add_waits(Stepping stepping) {
  blockers_.assign(operations_.size(), 0);
  wakeups_.resize(operations_.size());
  for (std::size_t later = 0; later < operations_.size(); ++later) {
    const Operation& waiter = operations_[later];
    const std::optional<std::size_t> before =
        stepping == Stepping::in_order && waiter.kind == Operation::Kind::send
            ? last_receiving_step(operations_, waiter.step)
            : std::nullopt;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const Operation& blocker = operations_[earlier];
      if (blocker.step == waiter.step) continue;
      if (blocker.kind == Operation::Kind::receive && blocker.step == before) {
        add_wait(earlier, blocker.extent.count, later);
      } else if (overlap(blocker.extent, waiter.extent) && conflict(blocker, waiter)) {
        const std::size_t end = std::min(blocker.extent.end(), waiter.extent.end());
        add_wait(earlier, end - blocker.extent.first, later);
      }
    }
  }
  for (auto& wakeups : wakeups_) std::ranges::stable_sort(wakeups, {}, &Wakeup::needed);
}

void LaneProgram::add_wait(std::size_t blocker, std::size_t needed, std::size_t waiter) {
  wakeups_[blocker].push_back({.needed = needed, .waiter = waiter});
  ++blockers_[waiter];
}

}  // namespace gradwire::transport
