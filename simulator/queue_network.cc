#include "simulator/queue_network.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/error.h"
#include "simulator/network.h"

namespace gradwire::simulator {
namespace {

std::vector<std::uint32_t> links_in(std::span<const LinkUse> uses) {
  ensure(!uses.empty(), "a connection crosses links");
  std::vector<std::uint32_t> links;
  for (const LinkUse& use : uses) {
    ensure(use.times == 1, "pieces are of one connection each");
    links.push_back(use.link);
  }
  return links;
}

}  // namespace

QueueNetwork::QueueNetwork(std::span<const double> capacities, const SocketModel& sockets,
                           double burst)
    // A bucket must hold a piece, or it would never pass.
    : sockets_(sockets), burst_(std::max(burst, static_cast<double>(sockets.segment))) {
  ensure(sockets.segment > 0 && sockets.window >= sockets.segment, "sockets pass segments");
  ensure(sockets.unevenness >= 0 && sockets.unevenness < 1, "every link carries something");
  std::mt19937_64 random;  // of which the standard says every number
  for (const double capacity : capacities) {
    ensure(capacity > 0, "links have a rate");
    const double less = sockets.unevenness * std::ldexp(static_cast<double>(random()), -64);
    ports_.push_back({.capacity = (1 - less) * capacity, .tokens = burst_});
  }
}

std::uint32_t QueueNetwork::connect(std::span<const LinkUse> uses, std::span<const LinkUse> back) {
  Connection connection;
  connection.links = links_in(uses);
  if (sockets_.queued_acknowledgements) connection.back = links_in(back);
  connections_.push_back(std::move(connection));
  return static_cast<std::uint32_t>(connections_.size() - 1);
}

FlowId QueueNetwork::send(std::uint32_t number, std::uint64_t bytes) {
  Connection& connection = connections_[number];
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<FlowId>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowId flow = free_flows_.back();
  free_flows_.pop_back();
  flows_[flow] = {.connection = number, .begin = connection.given, .end = connection.given + bytes};
  connection.given += bytes;
  connection.leaving.push_back(flow);
  connection.arriving.push_back(flow);
  hand_over(number);
  if (bytes == 0) arrive({.connection = number, .hop = 0, .bytes = 0});
  return flow;
}

void QueueNetwork::set_milestone(FlowId number, std::uint64_t bytes) {
  Flow& flow = flows_[number];
  if (flow.end <= connections_[flow.connection].arrived) return;  // its end is being reported
  if (flow.begin + bytes > connections_[flow.connection].arrived) {
    flow.milestone = flow.begin + bytes;
  } else {
    coming_.push_back({.flow = number, .what = Event::What::milestone});
  }
}

// As Linux has it: a socket hands on no further piece while two as large stand in the queue. So a
// small one waits behind a large one, and what is sent meanwhile goes into the same piece.
bool QueueNetwork::may_hand_over(const Connection& connection, std::uint64_t bytes) const {
  return bytes > 0 && connection.handed - connection.passed < 2 * bytes &&
         connection.handed - connection.acknowledged + bytes <= sockets_.window;
}

void QueueNetwork::hand_over(std::uint32_t number) {
  Connection& connection = connections_[number];
  const auto next = [&] {
    return std::min(sockets_.segment, connection.given - connection.handed);
  };
  while (may_hand_over(connection, next())) {
    const std::uint64_t bytes = next();
    connection.handed += bytes;
    enqueue({.connection = number, .hop = 0, .bytes = bytes});
  }
  while (!connection.leaving.empty()) {
    const FlowId flow = connection.leaving.front();
    if (flows_[flow].end > connection.handed + sockets_.unsent) break;
    coming_.push_back({.flow = flow, .what = Event::What::left});
    connection.leaving.pop_front();
  }
}

void QueueNetwork::enqueue(const Piece& piece) {
  const std::uint32_t link = links_of(piece)[piece.hop];
  ports_[link].queue.push_back(piece);
  plan(link);
}

void QueueNetwork::count_tokens(Port& port) const {
  const double earned = port.capacity * (now_ - port.counted_at);
  port.tokens = std::min(burst_, port.tokens + earned);
  port.counted_at = now_;
}

double QueueNetwork::tokens_for(const Piece& piece) {
  return piece.is_acknowledgement ? 0 : static_cast<double>(piece.bytes);
}

void QueueNetwork::plan(std::uint32_t link) {
  Port& port = ports_[link];
  if (port.is_passing || port.queue.empty()) return;
  port.is_passing = true;
  count_tokens(port);
  const double missing = tokens_for(port.queue.front()) - port.tokens;
  const double paid_at = now_ + std::max(0.0, missing) / port.capacity;
  passings_.push({.time = paid_at, .number = planned_++, .link = link});
}

void QueueNetwork::pass(std::uint32_t link) {
  Port& port = ports_[link];
  Piece piece = port.queue.front();
  port.queue.pop_front();
  port.is_passing = false;
  count_tokens(port);
  port.tokens -= tokens_for(piece);
  plan(link);
  Connection& connection = connections_[piece.connection];
  if (piece.hop == 0 && !piece.is_acknowledgement) {
    connection.passed += piece.bytes;
    hand_over(piece.connection);
  }
  if (++piece.hop < links_of(piece).size()) return enqueue(piece);
  piece.is_acknowledgement ? come_back(piece) : arrive(piece);
}

void QueueNetwork::arrive(const Piece& piece) {
  Connection& connection = connections_[piece.connection];
  connection.arrived += piece.bytes;
  while (!connection.arriving.empty()) {
    const FlowId number = connection.arriving.front();
    Flow& flow = flows_[number];
    if (flow.end > connection.arrived) {
      if (flow.milestone == 0 || flow.milestone > connection.arrived) break;
      flow.milestone = 0;
      coming_.push_back({.flow = number, .what = Event::What::milestone});
      break;
    }
    coming_.push_back({.flow = number, .what = Event::What::arrived});
    connection.arriving.pop_front();
  }
  acknowledge(piece);
}

void QueueNetwork::acknowledge(const Piece& piece) {
  const Piece acknowledgement{
      .connection = piece.connection, .hop = 0, .bytes = piece.bytes, .is_acknowledgement = true};
  sockets_.queued_acknowledgements ? enqueue(acknowledgement) : come_back(acknowledgement);
}

void QueueNetwork::come_back(const Piece& acknowledgement) {
  connections_[acknowledgement.connection].acknowledged += acknowledgement.bytes;
  hand_over(acknowledgement.connection);
}

const std::vector<std::uint32_t>& QueueNetwork::links_of(const Piece& piece) const {
  const Connection& connection = connections_[piece.connection];
  return piece.is_acknowledgement ? connection.back : connection.links;
}

double QueueNetwork::next_event() const {
  if (!coming_.empty()) return now_;
  return passings_.empty() ? kNever : std::max(now_, passings_.top().time);
}

std::span<const QueueNetwork::Event> QueueNetwork::advance(double time) {
  ensure(time >= now_, "time does not go back");
  for (const Event& event : events_) {
    if (event.what == Event::What::arrived) free_flows_.push_back(event.flow);
  }
  now_ = time;
  const double due = time * (1 + kSimultaneous);
  while (!passings_.empty() && passings_.top().time <= due) {
    const std::uint32_t link = passings_.top().link;
    passings_.pop();
    pass(link);
  }
  events_.clear();
  events_.swap(coming_);
  return events_;
}

}  // namespace gradwire::simulator
