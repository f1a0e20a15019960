#include "transport/executor.h"

#include <utility>

#include "core/error.h"

namespace gradwire::transport {

Executor::Executor(const Plan& plan, Rank rank, std::vector<std::unique_ptr<Endpoint>> endpoints,
                   Cancellation& cancellation, const Clock& clock, const Options& options)
    : cancellation_(cancellation), failures_(plan.lanes.size()) {
  ensure(endpoints.size() == plan.lanes.size(), "one endpoint per lane");
  const Stepping stepping = plan.lanes.size() > 1 ? Stepping::in_order : Stepping::overlapped;
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    lanes_.push_back(std::make_unique<LaneRunner>(
        plan.lanes[i], stepping, rank, i, std::move(endpoints[i]), clock, options.stall_timeout));
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) threads_.emplace_back(&Executor::serve, this, i);
}

Executor::~Executor() {
  stopping_ = true;
  if (busy_ > 0) cancellation_.request();
  ++run_;
  run_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Executor::execute() {
  if (lanes_.empty()) return;
  busy_ = lanes_.size();
  ++run_;
  run_.notify_all();
  for (std::size_t busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  throw_failure();
}

void Executor::serve(std::size_t number) {
  for (std::uint64_t seen = 0;;) {
    run_.wait(seen);
    ++seen;
    if (stopping_) return;
    try {
      lanes_[number]->run();
    } catch (...) {
      failures_[number] = std::current_exception();
      cancellation_.request();
    }
    if (--busy_ == 0) busy_.notify_all();
  }
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
