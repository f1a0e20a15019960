#include "transport/executor.h"

#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

// How a run begins and ends.
//
// The thread that calls execute() writes what the run needs (stage_, recording_) and then raises
// run_; the lanes' threads wait for that, so they see it. Each of them lowers busy_ when its lane
// is done, and execute() returns after busy_ has come down to 0, so it sees what they wrote
// (failures_, times). Between runs nobody else touches anything: that is why the members that are
// no atomics need no lock.
//
// A lane's thread counts the runs itself, by one each. It cannot miss one, because the next does
// not begin before it has said that it is done with this one.
namespace gradwire::transport {

Executor::Executor(const StagedPlan& staged, std::vector<std::unique_ptr<Endpoint>> endpoints,
                   Cancellation& cancellation, const LaneOptions& options)
    : cancellation_(cancellation), failures_(staged.plan.lanes.size()) {
  const std::size_t lanes = staged.plan.lanes.size();
  ensure(endpoints.size() == lanes, "every lane has an endpoint");
  for (std::size_t i = 0; i < lanes; ++i) {
    lanes_.push_back(std::make_unique<LaneRunner>(staged, i, std::move(endpoints[i]), options));
  }
  start_threads();
}

Executor::Executor(const Plan& plan, std::vector<std::unique_ptr<Endpoint>> endpoints,
                   Cancellation& cancellation, const LaneOptions& options)
    : Executor(in_stages({plan}), std::move(endpoints), cancellation, options) {}

Executor::~Executor() {
  stop();
}

void Executor::start_threads() try {
  threads_.reserve(lanes_.size());
  for (std::size_t i = 1; i < lanes_.size(); ++i) threads_.emplace_back(&Executor::serve, this, i);
} catch (const std::system_error& error) {
  const std::size_t refused = threads_.size() + 1;
  stop();  // no destructor follows
  throw SystemError(fmt::format("start a thread for lane {}", refused), error.code().value());
}

void Executor::stop() {
  stopping_ = true;  // before run_: whoever wakes looks at it
  if (busy_ > 0) cancellation_.request();
  ++run_;
  run_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Executor::execute(std::size_t stage) {
  if (lanes_.empty()) return;
  stage_ = stage;
  busy_ = threads_.size();  // before run_: a lane may be done before this thread goes on
  ++run_;
  if (!threads_.empty()) run_.notify_all();
  run_lane(0);
  for (std::size_t busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  throw_failure();
}

void Executor::serve(std::size_t number) {
  for (std::uint64_t seen = 0;;) {
    run_.wait(seen);
    ++seen;
    if (stopping_) return;
    run_lane(number);
    if (--busy_ == 0) busy_.notify_all();
  }
}

void Executor::run_lane(std::size_t number) noexcept {
  try {
    lanes_[number]->run(stage_, recording_);
  } catch (...) {
    failures_[number] = std::current_exception();
    cancellation_.request();  // or the other lanes would wait for what this one no longer sends
  }
}

void Executor::move_to(Elements gradient) {
  for (const auto& lane : lanes_) lane->move_to(gradient);
}

std::optional<FabricError> Executor::unanswered() const {
  for (const auto& lane : lanes_) {
    if (auto error = lane->unanswered()) return error;
  }
  return std::nullopt;
}

std::vector<Transfer> Executor::last_transfers() const {
  std::vector<Transfer> transfers;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const LaneProgram& program = lanes_[i]->program();
    for (std::size_t number = 0; number < program.operations().size(); ++number) {
      const Operation& operation = program.operations()[number];
      transfers.push_back({.lane = i,
                           .operation = operation,
                           .peer = program.channels()[operation.channel],
                           .times = lanes_[i]->last_times()[number]});
    }
  }
  return transfers;
}

void Executor::throw_failure() {
  std::exception_ptr cancelled;
  for (const std::exception_ptr& failure : failures_) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (const FabricError& error) {
      if (error.failure() != FabricFailure::cancelled) throw;
    }
    cancelled = failure;  // most often a consequence of a failure that is still to be found
  }
  if (cancelled) std::rethrow_exception(cancelled);
}

}  // namespace gradwire::transport
