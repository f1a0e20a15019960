#include <algorithm>

#include "core/error.h"
#include "simulator/run.h"

/// What becomes of a message: it moves, passes milestones, leaves its sender, arrives, and is
/// added.
namespace gradwire::simulator {
namespace {

/// The least number of elements above `beyond`, and below all, that something waits for in the
/// lane; 0 when nothing does: what waits for all elements goes on when the operation is finished.
std::size_t next_part(const LaneProgram& program, std::size_t operation, std::size_t beyond) {
  for (const Wakeup& wakeup : program.wakeups(operation)) {
    if (wakeup.needed == program.operations()[operation].extent.count) return 0;
    if (wakeup.needed > beyond) return wakeup.needed;
  }
  return 0;
}

}  // namespace

const Channel& Run::sending_end(const Message& message) const {
  return lanes_.channels()[message.channel];
}

const Channel& Run::receiving_end(const Message& message) const {
  return lanes_.channels()[sending_end(message).remote];
}

std::size_t Run::receiver(std::size_t message) const {
  return receiving_end(messages_[message]).lane;
}

const Operation& Run::send_of(const Message& message) const {
  return lanes_.lane(sending_end(message).lane).program().operations()[message.pair.send];
}

const Operation& Run::receive_of(const Message& message) const {
  return lanes_.lane(receiving_end(message).lane).program().operations()[message.pair.receive];
}

void Run::move(std::uint32_t channel) {
  const std::optional<Pair> pair = lanes_.take_message(channel);
  // Nothing can move yet. This is called again when an end becomes ready and when the channel is
  // free.
  if (!pair) return;
  Message message{.channel = channel, .pair = *pair, .begun = network_.now()};
  const Channel& out = sending_end(message);
  const std::vector<LinkUse> uses = fabric_.route(lanes_.actor(out), lanes_.peer(out));
  for (const LinkUse& use : uses) message.hops += use.times;
  const std::size_t elements = send_of(message).extent.count;
  ensure(elements == receive_of(message).extent.count, "a send meets a receive of its size");
  const FlowId flow = network_.start(uses, static_cast<double>(elements) * model_.element_bytes);
  ++outcome_.flows;
  if (flows_.size() <= flow) flows_.resize(flow + 1);
  flows_[flow] = keep(message);
  set_milestone(flow);
}

std::uint32_t Run::keep(const Message& message) {
  if (free_messages_.empty()) {
    messages_.push_back(message);
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t number = free_messages_.back();
  free_messages_.pop_back();
  messages_[number] = message;
  return number;
}

bool Run::counts_in_part(const Operation& receive) const {
  return model_.gamma == 0 || receive.how == Combine::replace;
}

void Run::set_milestone(FlowId flow) {
  Message& message = messages_[flows_[flow]];
  const LaneProgram& sender = lanes_.lane(sending_end(message).lane).program();
  const LaneProgram& taker = lanes_.lane(receiving_end(message).lane).program();
  // Whichever end waits for fewer elements. What passes a milestone moves both ends on.
  std::size_t next = next_part(sender, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const std::size_t other = next_part(taker, message.pair.receive, message.milestone);
    if (next == 0 || (other != 0 && other < next)) next = other;
  }
  if (next == 0) return;
  message.milestone = next;
  network_.set_milestone(flow, static_cast<double>(next) * model_.element_bytes);
}

void Run::pass_milestone(FlowId flow) {
  const std::uint32_t number = flows_[flow];
  const Message message = messages_[number];
  lanes_.advance(sending_end(message).lane, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const double delay = model_.delay * message.hops;
    if (delay > 0) {
      set_timer(network_.now() + delay, Timer::What::arrived_in_part, number, message.milestone);
    } else {
      lanes_.advance(receiver(number), message.pair.receive, message.milestone);
    }
  }
  set_milestone(flow);
  start_opened();
}

void Run::leave(std::uint32_t number) {
  // A copy: in arrive() another message may take over the number.
  const Message message = messages_[number];
  record(message, Operation::Kind::send);
  const double delay = model_.delay * message.hops;
  if (delay > 0) {
    set_timer(network_.now() + delay, Timer::What::arrived, number, 0);
  } else {
    arrive(number);
  }
  // The channel is free before the lane goes on, and may carry its next message at once.
  lanes_.release(message.channel);
  finish(sending_end(message).lane, message.pair.send);
  move(message.channel);
}

void Run::arrive(std::size_t number) {
  const Operation& receive = receive_of(messages_[number]);
  if (counts_in_part(receive)) return complete_receive(number);
  // A lane adds one message at a time: this one begins when those before it are added.
  double& free = adders_[receiver(number)];
  const double bytes = static_cast<double>(receive.extent.count) * model_.element_bytes;
  free = std::max(free, network_.now()) + model_.gamma * bytes;
  set_timer(free, Timer::What::added, number, 0);
}

void Run::complete_receive(std::size_t number) {
  const Message message = messages_[number];
  record(message, Operation::Kind::receive);
  // From here on another message may take the number over.
  free_messages_.push_back(static_cast<std::uint32_t>(number));
  --messages_left_;
  finish(receiving_end(message).lane, message.pair.receive);
}

void Run::record(const Message& message, Operation::Kind kind) {
  if (!options_.record) return;
  const bool sends = kind == Operation::Kind::send;
  const Channel& end = sends ? sending_end(message) : receiving_end(message);
  const LaneState& lane = lanes_.lane(end.lane);
  outcome_.transfers.push_back({.actor = lane.actor,
                                .stage = lane.stage,
                                .lane = lane.number,
                                .operation = sends ? send_of(message) : receive_of(message),
                                .peer = lanes_.peer(end),
                                .posted = message.begun,
                                .done = network_.now()});
}

}  // namespace gradwire::simulator
