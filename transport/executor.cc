#include "transport/executor.h"

#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::transport {

Executor::Executor(const StagedPlan& staged, Rank rank,
                   std::vector<std::unique_ptr<Endpoint>> endpoints, Cancellation& cancellation,
                   const Clock& clock, const LaneTiming& timing)
    : cancellation_(cancellation), failures_(staged.plan.lanes.size()) {
  const std::vector<Lane>& lanes = staged.plan.lanes;
  ensure(endpoints.size() == lanes.size(), "one endpoint per lane");
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes_.push_back(std::make_unique<LaneRunner>(lanes[i], staged.stages, staged.plan.stepping,
                                                  rank, i, std::move(endpoints[i]), clock, timing));
  }
  start_threads();
}

Executor::Executor(const Plan& plan, Rank rank, std::vector<std::unique_ptr<Endpoint>> endpoints,
                   Cancellation& cancellation, const Clock& clock, const LaneTiming& timing)
    : Executor(in_stages({plan}), rank, std::move(endpoints), cancellation, clock, timing) {}

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
  stopping_ = true;
  if (busy_ > 0) cancellation_.request();
  ++run_;
  run_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Executor::execute(std::size_t stage) {
  if (lanes_.empty()) return;
  stage_ = stage;
  busy_ = threads_.size();
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
    cancellation_.request();
  }
}

std::vector<Transfer> Executor::last_transfers() const {
  std::vector<Transfer> transfers;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const LaneProgram& program = lanes_[i]->last_program();
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
  std::exception_ptr first;
  for (const std::exception_ptr& failure : failures_) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (const FabricError& error) {
      if (error.failure() != FabricFailure::cancelled) throw;
    }
    first = failure;
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace gradwire::transport
