#include "harness/worker/assignment.h"

#include "harness/worker/synchronization.h"
#include "harness/worker/training.h"
#include "transport/tcp/connect.h"

namespace gradwire::harness {

std::unique_ptr<Assignment> make_assignment(const Job& job, const WorkerContext& context) {
  if (job.training) return std::make_unique<Training>(job, context);
  return std::make_unique<Synchronization>(job, context);
}

std::unique_ptr<transport::Executor> connect(const Job& job, const StagedPlan& plan,
                                             std::span<float> gradient,
                                             const WorkerContext& context) {
  auto endpoints = transport::tcp::connect(
      plan.plan, job.rank, gradient, job.ports, context.rendezvous, context.cancellation,
      context.clock, {.key = job.key, .timeout = job.timeout, .unacknowledged = job.timeout});
  return std::make_unique<transport::Executor>(
      plan, job.rank, std::move(endpoints), context.cancellation, context.clock,
      transport::LaneTiming{.stall_timeout = job.timeout, .startup = job.startup});
}

std::vector<TracedTransfer> traced(const transport::Executor& executor, std::size_t bucket,
                                   TimePoint start) {
  std::vector<TracedTransfer> transfers;
  for (const transport::Transfer& transfer : executor.last_transfers()) {
    const Operation& operation = transfer.operation;
    transfers.push_back({.bucket = bucket,
                         .lane = transfer.lane,
                         .step = operation.step,
                         .sends = operation.kind == Operation::Kind::send,
                         .peer = transfer.peer,
                         .elements = operation.extent.count,
                         .posted = transfer.times.posted - start,
                         .done = transfer.times.done - start});
  }
  return transfers;
}

}  // namespace gradwire::harness
