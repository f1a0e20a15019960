#include "transport/lane_runner.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

// An operation goes through these states, always forwards:
//
//     behind a gate -> next in the queue of its channel -> (a send: starting up) -> posted -> done
//
// Its gate is open when inputs_left_ is 0. Of each queue, the first posted_ operations are posted.
// An operation whose gate is open may stand behind one of its channel and direction whose gate is
// closed, and must wait there, because the n-th send of one end meets the n-th receive of the
// other. So whatever changes, only the next of a queue is looked at.
//
// That a run ends, if the fabric works, is shown at the top of core/lane_program.cc.
namespace gradwire::transport {
namespace {

/// The channels that a program uses, in the order of first use.
std::vector<std::uint32_t> by_first_use(const LaneProgram& program) {
  std::vector<std::uint32_t> channels;
  std::vector<bool> is_used(program.channels().size());
  for (const Operation& operation : program.operations()) {
    if (is_used[operation.channel]) continue;
    is_used[operation.channel] = true;
    channels.push_back(operation.channel);
  }
  return channels;
}

}  // namespace

LaneRunner::LaneRunner(const StagedPlan& staged, std::size_t lane,
                       std::unique_ptr<Endpoint> endpoint, const LaneOptions& options)
    : options_(options), lane_(lane), endpoint_(std::move(endpoint)) {
  ensure(!staged.stages.empty(), "a lane has at least one stage");
  std::size_t operations = 0;
  std::size_t gates = 0;
  for (const StepRange& steps : staged.stages) {
    LaneProgram program(staged.plan.lanes[lane], steps, staged.plan.stepping_of(lane));
    operations = std::max(operations, program.operations().size());
    gates = std::max(gates, program.gate_inputs().size());
    std::vector<std::uint32_t> channels = by_first_use(program);
    stages_.push_back({.program = std::move(program), .channels = std::move(channels)});
  }
  stage_ = stages_.data();
  inputs_left_.resize(gates);
  elements_done_.resize(operations);
  wakeups_given_.resize(operations);
  times_.resize(operations);
  startable_.resize(operations);
  posted_.resize(2 * program().channels().size());
}

void LaneRunner::run(std::size_t stage, bool record) try {
  recording_ = record;
  reset(stage);
  // Receives first: the peer may be ahead, and what has arrived can be taken at once.
  for (const std::uint32_t channel : stage_->channels) {
    post_ready(channel, Operation::Kind::receive);
    post_ready(channel, Operation::Kind::send);
  }
  while (operations_left_ > 0) {
    const auto moved = endpoint_->wait(Deadline(options_.clock, patience()));
    for (const Progress& progress : moved) advance(progress);
    // A wait that ends for the sake of a send that starts up has not stalled.
    if (!post_started() && moved.empty()) throw unanswered().value_or(stalled());
  }
} catch (const ChannelError& error) {
  // A peer that was sent something in vain gives up first, and closes its connections.
  const bool closed = error.failure() == FabricFailure::peer_closed;
  if (const auto lost = closed ? unanswered() : std::nullopt) throw *lost;
  throw error_at(unfinished(error.channel()), error.failure(), error.what());
} catch (const Cancelled&) {
  // Another rank may have run into its timeout first, for the same reason.
  if (const auto error = unanswered()) throw *error;
  throw error_at(unfinished(std::nullopt), FabricFailure::cancelled, "given up");
}

void LaneRunner::reset(std::size_t stage) {
  stage_ = &stages_.at(stage);
  std::ranges::copy(program().gate_inputs(), inputs_left_.begin());
  std::ranges::fill(elements_done_, 0);
  std::ranges::fill(wakeups_given_, 0);
  std::ranges::fill(posted_, 0);
  operations_left_ = program().operations().size();
  next_start_ = TimePoint::max();
  if (options_.timing.startup > Nanoseconds(0)) std::ranges::fill(startable_, options_.clock.now());
}

void LaneRunner::post_ready(std::size_t channel, Operation::Kind kind) {
  const auto queue = program().queue(channel, kind);
  std::size_t& posted = posted_[2 * channel + static_cast<std::size_t>(kind)];
  while (posted < queue.size() && inputs_left_[program().gate_of(queue[posted])] == 0) {
    if (kind == Operation::Kind::send && !started_up(queue[posted])) return;
    const std::size_t number = queue[posted++];
    const Operation& operation = program().operations()[number];
    if (recording_) times_[number].posted = options_.clock.now();
    if (kind == Operation::Kind::send) {
      endpoint_->post_send(channel,
                           {.what = operation.extent, .operation = number, .step = operation.step});
    } else {
      endpoint_->post_receive(channel, operation.extent, operation.how, number);
    }
  }
}

void LaneRunner::advance(const Progress& progress) {
  const std::size_t number = progress.operation;
  elements_done_[number] = progress.elements;
  if (progress.elements == program().operations()[number].extent.count) {
    --operations_left_;
    if (recording_) times_[number].done = options_.clock.now();
  }

  // Sorted by what they need, so those that were given are the first of them.
  const auto wakeups = program().wakeups(number);
  std::size_t& given = wakeups_given_[number];
  while (given < wakeups.size() && wakeups[given].needed <= progress.elements) {
    enter(wakeups[given++].gate);
  }
}

void LaneRunner::enter(std::size_t gate) {
  if (--inputs_left_[gate] > 0) return;
  // All are stamped before one is posted, because posting one goes on with its queue, in which
  // another of them may be next.
  for (const std::size_t waiter : program().behind(gate)) {
    if (options_.timing.startup > Nanoseconds(0)) startable_[waiter] = options_.clock.now();
  }
  for (const std::size_t waiter : program().behind(gate)) {
    const Operation& operation = program().operations()[waiter];
    post_ready(operation.channel, operation.kind);
  }
  if (const auto next = program().next_gate(gate)) enter(*next);
}

bool LaneRunner::started_up(std::size_t send) {
  if (options_.timing.startup == Nanoseconds(0)) return true;
  const TimePoint start = startable_[send] + options_.timing.startup;
  if (start <= options_.clock.now()) return true;
  next_start_ = std::min(next_start_, start);
  return false;
}

bool LaneRunner::post_started() {
  if (next_start_ == TimePoint::max()) return false;
  if (options_.clock.now() < next_start_) return true;
  next_start_ = TimePoint::max();  // those that are still starting up set it again
  for (const std::uint32_t channel : stage_->channels) {
    post_ready(channel, Operation::Kind::send);
  }
  return true;
}

Nanoseconds LaneRunner::patience() const {
  if (next_start_ == TimePoint::max()) return options_.timing.stall_timeout;
  return std::clamp(next_start_ - options_.clock.now(), Nanoseconds(0),
                    options_.timing.stall_timeout);
}

const Operation* LaneRunner::unfinished(std::optional<std::size_t> channel) const {
  const auto operations = program().operations();
  const Operation* earliest = nullptr;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (elements_done_[i] == operation.extent.count) continue;
    if (channel && operation.channel != *channel) continue;
    // In a step that waits for several peers, a receive says more about who is missing than a send,
    // which the peer's kernel may still be taking.
    const bool says_more = earliest != nullptr && operation.step == earliest->step &&
                           operation.kind == Operation::Kind::receive &&
                           earliest->kind == Operation::Kind::send;
    if (earliest == nullptr || operation.step < earliest->step || says_more) earliest = &operation;
  }
  return earliest;
}

FabricError LaneRunner::error_at(const Operation* operation, FabricFailure failure,
                                 const std::string& detail) const {
  FabricPlace place{.rank = options_.rank, .lane = lane_};
  if (operation != nullptr) {
    const Peer& peer = program().channels()[operation->channel];
    place.peer = peer.rank;
    place.port = peer.via;
    place.step = operation->step;
  }
  return {failure, place, detail};
}

std::optional<FabricError> LaneRunner::unanswered() const {
  const std::optional<std::size_t> channel = endpoint_->find_unanswered();
  const Operation* operation = unfinished(std::nullopt);
  if (!channel) return std::nullopt;
  const Peer& peer = program().channels()[*channel];
  FabricPlace place{.rank = options_.rank, .peer = peer.rank, .port = peer.via, .lane = lane_};
  if (operation != nullptr) place.step = operation->step;
  return FabricError(FabricFailure::unanswered, place,
                     fmt::format("port {} of rank {} acknowledges nothing that was sent to it",
                                 peer.at.index(), peer.rank.index()));
}

FabricError LaneRunner::stalled() const {
  const Operation* operation = unfinished(std::nullopt);
  ensure(operation != nullptr, "a lane that waits has an unfinished operation");
  const auto number = static_cast<std::size_t>(operation - program().operations().data());
  const bool sends = operation->kind == Operation::Kind::send;
  const auto bytes = [this](std::size_t elements) {
    return format_bytes(static_cast<double>(elements * options_.element_bytes));
  };
  return error_at(
      operation, FabricFailure::stalled,
      fmt::format("nothing moved for {}; {} of {} {} {} rank {}",
                  format_duration(options_.timing.stall_timeout), bytes(elements_done_[number]),
                  bytes(operation->extent.count), sends ? "sent" : "received",
                  sends ? "to" : "from", program().channels()[operation->channel].rank.index()));
}

}  // namespace gradwire::transport
