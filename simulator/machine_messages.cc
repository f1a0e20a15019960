#include <algorithm>

#include "core/error.h"
#include "simulator/machine.h"

/// The life of a message: it moves, passes milestones, leaves its sender, arrives, and is added.
namespace gradwire::simulator {
namespace {

/// The least number of elements above `beyond`, and below all, that something waits for in the
/// lane; 0 if nothing does. Operations that wait for all elements continue when the operation is
/// finished.
std::size_t next_part(const LaneState& lane, std::size_t operation, std::size_t beyond) {
  const auto wakeups = lane.program.wakeups(operation);
  for (const Wakeup& wakeup : wakeups.subspan(lane.wakeups_given[operation])) {
    if (wakeup.needed == lane.program.operations()[operation].extent.count) return 0;
    if (wakeup.needed > beyond) return wakeup.needed;
  }
  return 0;
}

}  // namespace

const Channel& Machine::sending_end(const Message& message) const {
  return lanes(message.collective).channels()[message.channel];
}

const Channel& Machine::receiving_end(const Message& message) const {
  return lanes(message.collective).channels()[sending_end(message).remote];
}

const Operation& Machine::send_of(const Message& message) const {
  const LaneState& sender = lanes(message.collective).lane(sending_end(message).lane);
  return sender.program.operations()[message.pair.send];
}

const Operation& Machine::receive_of(const Message& message) const {
  const LaneState& taker = lanes(message.collective).lane(receiving_end(message).lane);
  return taker.program.operations()[message.pair.receive];
}

void Machine::move(std::uint32_t number, std::uint32_t channel) {
  Collective& collective = *collectives_[number];
  const Lanes& lanes = collective.lanes;
  const std::optional<Pair> pair = collective.lanes.take_message(channel);
  // Nothing can move yet. This is called again when an end becomes ready and when the channel is
  // free.
  if (!pair) return;
  Message message{.collective = number, .channel = channel, .pair = *pair, .begun = now()};
  const std::span<const LinkUse> uses = collective.routes.of(lanes, channel);
  for (const LinkUse& use : uses) message.hops += use.times;
  const std::size_t elements = send_of(message).extent.count;
  ensure(elements == receive_of(message).extent.count, "a send meets a receive of its size");
  const FlowId flow =
      start_flow(message, uses, static_cast<double>(elements) * collective.element_bytes);
  ++flows_started_;
  if (flows_.size() <= flow) flows_.resize(flow + 1);
  flows_[flow] = keep(message);
  set_milestone(flow);
}

FlowId Machine::start_flow(const Message& message, std::span<const LinkUse> uses, double bytes) {
  if (!queues_) return network_.start(uses, bytes);
  return queues_->send(connection_of(message, uses), static_cast<std::uint64_t>(bytes));
}

std::uint32_t Machine::connection_of(const Message& message, std::span<const LinkUse> uses) {
  const Channel& channel = sending_end(message);
  const LaneState& lane = lanes(message.collective).lane(channel.lane);
  const auto [found, is_new] = connections_.try_emplace(
      {lane.actor, lane.number, lanes(message.collective).peer(channel)}, 0);
  if (is_new) found->second = queues_->connect(uses, way_back(message));
  return found->second;
}

std::vector<LinkUse> Machine::way_back(const Message& message) const {
  const Collective& collective = *collectives_[message.collective];
  return collective.routes.back(collective.lanes, receiving_end(message));
}

std::uint32_t Machine::keep(const Message& message) {
  if (free_messages_.empty()) {
    messages_.push_back(message);
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t number = free_messages_.back();
  free_messages_.pop_back();
  messages_[number] = message;
  return number;
}

bool Machine::counts_in_part(const Operation& receive) const {
  return model_.gamma == 0 || receive.how == Combine::replace;
}

void Machine::set_milestone(FlowId flow) {
  Message& message = messages_[flows_[flow]];
  const Collective& collective = *collectives_[message.collective];
  const LaneState& sender = collective.lanes.lane(sending_end(message).lane);
  const LaneState& taker = collective.lanes.lane(receiving_end(message).lane);
  // Whichever end waits for fewer elements. What passes a milestone moves both ends on.
  std::size_t next = next_part(sender, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const std::size_t other = next_part(taker, message.pair.receive, message.milestone);
    if (next == 0 || (other != 0 && other < next)) next = other;
  }
  if (next == 0) return;
  message.milestone = next;
  const double bytes = static_cast<double>(next) * collective.element_bytes;
  if (queues_) return queues_->set_milestone(flow, static_cast<std::uint64_t>(bytes));
  network_.set_milestone(flow, bytes);
}

void Machine::pass_milestone(FlowId flow) {
  const std::uint32_t number = flows_[flow];
  const Message message = messages_[number];
  Lanes& lanes = lanes_of(message);
  lanes.advance(sending_end(message).lane, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const double delay = model_.delay * message.hops;
    if (delay > 0) {
      set_timer_of_message(now() + delay, Timer::What::arrived_in_part, number, message.milestone);
    } else {
      lanes.advance(receiving_end(message).lane, message.pair.receive, message.milestone);
    }
  }
  set_milestone(flow);
  start_opened(message.collective);
}

void Machine::arrive_in_part(std::uint32_t number, std::size_t elements) {
  const Message message = messages_[number];
  lanes_of(message).advance(receiving_end(message).lane, message.pair.receive, elements);
  start_opened(message.collective);
}

void Machine::free_channel(const Message& message) {
  // The channel is free before the lane goes on, and may carry its next message at once.
  lanes_of(message).release(message.channel);
  finish(message.collective, sending_end(message).lane, message.pair.send);
  move(message.collective, message.channel);
}

void Machine::come_out(std::uint32_t number) {
  const double delay = model_.delay * messages_[number].hops;
  if (delay > 0) return set_timer_of_message(now() + delay, Timer::What::arrived, number);
  arrive(number);
}

void Machine::arrive(std::uint32_t number) {
  const Message& message = messages_[number];
  const Operation& receive = receive_of(message);
  if (counts_in_part(receive)) return complete_receive(number);
  // A lane adds one message at a time: this one begins when those before it are added.
  Collective& collective = *collectives_[message.collective];
  double& free = collective.adders[receiving_end(message).lane];
  const double bytes = static_cast<double>(receive.extent.count) * collective.element_bytes;
  free = std::max(free, now()) + model_.gamma * bytes;
  set_timer_of_message(free, Timer::What::added, number);
}

void Machine::complete_receive(std::uint32_t number) {
  const Message message = messages_[number];
  record(message, Operation::Kind::receive);
  // From here on another message may take the number over.
  free_messages_.push_back(number);
  ++messages_done_;
  finish(message.collective, receiving_end(message).lane, message.pair.receive);
}

void Machine::record(const Message& message, Operation::Kind kind) {
  if (!options_.record) return;
  const bool sends = kind == Operation::Kind::send;
  const Channel& end = sends ? sending_end(message) : receiving_end(message);
  const LaneState& lane = lanes(message.collective).lane(end.lane);
  transfers_.push_back({.actor = lane.actor,
                        .stage = collectives_[message.collective]->stage,
                        .lane = lane.number,
                        .operation = sends ? send_of(message) : receive_of(message),
                        .peer = lanes(message.collective).peer(end),
                        .posted = message.begun,
                        .done = now()});
}

}  // namespace gradwire::simulator
