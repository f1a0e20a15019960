#include "simulator/lanes.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::simulator {

Lanes::Lanes(const Fabric& fabric, std::vector<Plan> plans) {
  ensure(plans.size() == fabric.actors(), "every actor has a Plan");
  for (Plan& plan : plans) {
    add_actor(plan);
    plan = {};
  }
  connect(fabric);
}

void Lanes::add_actor(const Plan& plan) {
  const auto number = static_cast<std::uint32_t>(actors_.size());
  actors_.push_back({.first_lane = static_cast<std::uint32_t>(lanes_.size()),
                     .lanes = static_cast<std::uint32_t>(plan.lanes.size())});
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    LaneState lane{.actor = number,
                   .number = static_cast<std::uint32_t>(i),
                   .first_channel = static_cast<std::uint32_t>(channels_.size()),
                   .program = LaneProgram(plan.lanes[i], plan.stepping_of(i))};
    for (std::size_t c = 0; c < lane.program.channels().size(); ++c) {
      channels_.push_back({.lane = static_cast<std::uint32_t>(lanes_.size()),
                           .number = static_cast<std::uint32_t>(c)});
    }
    lanes_.push_back(std::move(lane));
  }
}

void Lanes::connect(const Fabric& fabric) {
  // Lanes of the same number meet. A channel is found at the other end by how that end names its
  // peer; sorted by Peer within each lane, in a binary search.
  std::vector<std::pair<Peer, std::uint32_t>> by_peer(channels_.size());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    by_peer[i] = {peer(channels_[i]), static_cast<std::uint32_t>(i)};
  }
  const auto channels_of_lane = [&](std::size_t lane) {
    const std::size_t first = lanes_[lane].first_channel;
    const std::size_t end =
        lane + 1 < lanes_.size() ? lanes_[lane + 1].first_channel : channels_.size();
    return std::span(by_peer).subspan(first, end - first);
  };
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    std::ranges::sort(channels_of_lane(lane));
  }
  for (Channel& channel : channels_) {
    const LaneState& lane = lanes_[channel.lane];
    const ChannelEnd end = fabric.opposite(lane.actor, peer(channel));
    const ActorState& other = actors_.at(end.actor);
    ensure(lane.number < other.lanes, "a lane meets one of its number at the other end");
    const auto theirs = channels_of_lane(other.first_lane + lane.number);
    const auto found =
        std::ranges::lower_bound(theirs, end.as, {}, &std::pair<Peer, std::uint32_t>::first);
    ensure(found != theirs.end() && found->first == end.as, "a channel has another end");
    channel.remote = found->second;
  }
  for (const Channel& channel : channels_) require_meeting(channel, channels_[channel.remote]);
}

void Lanes::require_meeting(const Channel& from, const Channel& to) const {
  // Every channel is looked at from both ends, so that comparing one direction compares both.
  const auto sends = lanes_[from.lane].program.queue(from.number, Operation::Kind::send);
  const auto receives = lanes_[to.lane].program.queue(to.number, Operation::Kind::receive);
  ensure(sends.size() == receives.size(), "every send meets a receive");
}

const Peer& Lanes::peer(const Channel& channel) const {
  return lanes_[channel.lane].program.channels()[channel.number];
}

std::uint64_t Lanes::messages() const {
  std::uint64_t count = 0;
  for (const LaneState& lane : lanes_) {
    count += static_cast<std::uint64_t>(
        std::ranges::count(lane.program.operations(), Operation::Kind::send, &Operation::kind));
  }
  return count;
}

void Lanes::rewind() {
  for (const ActorState& actor : actors_) {
    ensure(actor.lanes_left == 0, "no actor is under way");
  }
  for (LaneState& lane : lanes_) lane.has_started.clear();
}

bool Lanes::begin(std::size_t number) {
  ActorState& actor = actors_[number];
  actor.lanes_left = 0;
  for (std::size_t i = 0; i < actor.lanes; ++i) {
    LaneState& lane = lanes_[actor.first_lane + i];
    reset(lane);
    if (lane.operations_left > 0) ++actor.lanes_left;
  }
  if (actor.lanes_left == 0) return false;
  // What waits for nothing may take place from the beginning.
  for (std::size_t i = 0; i < actor.lanes; ++i) {
    const std::size_t lane = actor.first_lane + i;
    const auto inputs = lanes_[lane].program.gate_inputs();
    for (std::size_t gate = 0; gate < inputs.size(); ++gate) {
      if (inputs[gate] == 0) open(lane, gate);
    }
  }
  return true;
}

void Lanes::reset(LaneState& lane) {
  const LaneProgram& program = lane.program;
  lane.inputs_left.assign(program.gate_inputs().begin(), program.gate_inputs().end());
  lane.has_started.assign(program.gate_inputs().size(), 0);
  lane.wakeups_given.assign(program.operations().size(), 0);
  lane.operations_left = program.operations().size();
  for (std::size_t c = 0; c < program.channels().size(); ++c) {
    Channel& channel = channels_[lane.first_channel + c];
    channel.sent = channel.received = 0;
  }
}

void Lanes::open(std::size_t lane, std::size_t gate) {
  opened_.push_back(
      {.lane = static_cast<std::uint32_t>(lane), .gate = static_cast<std::uint32_t>(gate)});
  LaneState& state = lanes_[lane];
  // In order, the barrier of a step waits for that of the step before.
  const auto next = state.program.next_gate(gate);
  if (next && --state.inputs_left[*next] == 0) open(lane, *next);
}

void Lanes::advance(std::size_t number, std::size_t operation, std::size_t elements) {
  LaneState& lane = lanes_[number];
  const auto wakeups = lane.program.wakeups(operation);
  // Wakeups are in ascending order of what they need, and each is given once.
  std::uint32_t& given = lane.wakeups_given[operation];
  while (given < wakeups.size() && wakeups[given].needed <= elements) {
    const std::size_t gate = wakeups[given++].gate;
    if (--lane.inputs_left[gate] == 0) open(number, gate);
  }
}

void Lanes::expect(std::size_t number, std::size_t operation) const {
  const LaneState& lane = lanes_[number];
  __builtin_prefetch(&lane.wakeups_given[operation], 1);
  lane.program.expect_wakeups(operation);
}

void Lanes::expect_soon(std::size_t number, std::size_t operation) const {
  const LaneState& lane = lanes_[number];
  const auto wakeups = lane.program.wakeups(operation);
  const std::uint32_t given = lane.wakeups_given[operation];
  if (given < wakeups.size()) __builtin_prefetch(&wakeups[given]);
}

bool Lanes::finish(std::size_t number, std::size_t operation) {
  LaneState& lane = lanes_[number];
  advance(number, operation, lane.program.operations()[operation].extent.count);
  if (--lane.operations_left > 0) return false;
  return --actors_[lane.actor].lanes_left == 0;
}

std::span<const OpenGate> Lanes::take_opened() {
  taken_.clear();
  std::swap(taken_, opened_);
  return taken_;
}

bool Lanes::is_for_sends(const OpenGate& gate) const {
  const LaneProgram& program = lanes_[gate.lane].program;
  const auto behind = program.behind(gate.gate);
  return !behind.empty() && program.operations()[behind.front()].kind == Operation::Kind::send;
}

std::span<const std::uint32_t> Lanes::start(const OpenGate& gate) {
  LaneState& lane = lanes_[gate.lane];
  lane.has_started[gate.gate] = 1;
  movable_.clear();
  for (const std::size_t waiter : lane.program.behind(gate.gate)) {
    const Operation& operation = lane.program.operations()[waiter];
    const std::uint32_t channel = lane.first_channel + operation.channel;
    // A channel is named by its sending end. What a receive lets move is sent at the other end.
    const bool sends = operation.kind == Operation::Kind::send;
    movable_.push_back(sends ? channel : channels_[channel].remote);
  }
  return movable_;
}

std::optional<Pair> Lanes::take_message(std::uint32_t channel) {
  Channel& out = channels_[channel];
  if (out.is_sending) return std::nullopt;
  Channel& in = channels_[out.remote];
  const LaneState& sender = lanes_[out.lane];
  const LaneState& taker = lanes_[in.lane];
  // An actor that is ahead waits for the other one to begin.
  if (!sender.has_begun() || !taker.has_begun()) return std::nullopt;
  const auto sends = sender.program.queue(out.number, Operation::Kind::send);
  const auto receives = taker.program.queue(in.number, Operation::Kind::receive);
  if (out.sent == sends.size() || in.received == receives.size()) return std::nullopt;
  // Messages keep their order on a channel: the next send meets the next receive, and both must be
  // ready.
  const std::size_t send = sends[out.sent];
  const std::size_t receive = receives[in.received];
  if (sender.has_started[sender.program.gate_of(send)] == 0) return std::nullopt;
  if (taker.has_started[taker.program.gate_of(receive)] == 0) return std::nullopt;
  out.is_sending = true;
  ++out.sent;
  ++in.received;
  return Pair{.send = static_cast<std::uint32_t>(send),
              .receive = static_cast<std::uint32_t>(receive)};
}

}  // namespace gradwire::simulator
