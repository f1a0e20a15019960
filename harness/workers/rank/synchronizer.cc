#include "harness/workers/rank/synchronizer.h"

#include <utility>

#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "harness/workers/rank/peer_synchronizer.h"
#include "transport/execution/executor.h"
#include "transport/executor.h"

namespace gradwire::workers {
namespace {

using transport::Executor;

/// Our own algorithms: a stage of Plans per bucket, over a transport of ours.
class PlanSynchronizer final : public Synchronizer {
 public:
  explicit PlanSynchronizer(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}

  void synchronize(std::size_t bucket) override { executor_->execute(bucket); }
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return executor_->unanswered();
  }
  void record(bool on) override { executor_->record(on); }
  [[nodiscard]] std::vector<record::TracedTransfer> transfers(std::size_t bucket,
                                                              TimePoint start) const override;

 private:
  std::unique_ptr<Executor> executor_;
};

std::vector<record::TracedTransfer> PlanSynchronizer::transfers(std::size_t bucket,
                                                                TimePoint start) const {
  std::vector<record::TracedTransfer> transfers;
  for (const transport::Transfer& transfer : executor_->last_transfers()) {
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

/// A stage for each bucket.
StagedPlan staged_plan(const Job& job, std::span<const algorithms::BucketAmount> buckets) {
  std::vector<Plan> plans;
  for (const algorithms::BucketAmount& bucket : buckets) {
    plans.push_back(shifted(plan_of(job, bucket.amount), bucket.first));
  }
  return in_stages(std::move(plans));
}

}  // namespace

execution::RankEnds ends_of(const Job& job, const WorkerContext& context) {
  return {.self = job.rank,
          .ports = job.ports,
          .transport = job.transport,
          .key = job.key,
          .timeout = job.timeout,
          .startup = job.startup,
          .rate = job.rate,
          .rendezvous = context.rendezvous,
          .cancellation = context.cancellation,
          .clock = context.clock};
}

std::unique_ptr<Synchronizer> make_synchronizer(const Job& job,
                                                std::span<const algorithms::BucketAmount> buckets,
                                                Elements gradient, const WorkerContext& context) {
  if (job.task.algorithm && !job.task.algorithm.has_plans()) {
    return make_peer_synchronizer(job, buckets, gradient.as<float>(), context);
  }
  return make_synchronizer(job, staged_plan(job, buckets), gradient, context);
}

std::unique_ptr<Synchronizer> make_synchronizer(const Job& job, const StagedPlan& stages,
                                                Elements gradient, const WorkerContext& context) {
  return std::make_unique<PlanSynchronizer>(
      execution::make_executor(stages, gradient, ends_of(job, context)));
}

std::unique_ptr<Synchronizer> make_synchronizer(const Job& job,
                                                std::span<const algorithms::BucketAmount> buckets,
                                                const transport::device::DeviceGradient& gradient,
                                                const WorkerContext& context) {
  if (job.task.algorithm && !job.task.algorithm.has_plans()) {
    return make_peer_synchronizer(job, buckets, gradient, context);
  }
  return std::make_unique<PlanSynchronizer>(
      execution::make_executor(staged_plan(job, buckets), gradient, ends_of(job, context)));
}

record::RankIteration synchronize_all(Synchronizer& synchronizer, const WorkerContext& context,
                                      bool trace) {
  synchronizer.record(trace);
  context.rendezvous.barrier();
  const TimePoint start = context.clock.now();
  synchronizer.synchronize(0);
  const TimePoint end = context.clock.now();
  record::RankIteration mine{.start = start.time_since_epoch(), .end = end.time_since_epoch()};
  if (trace) mine.transfers = synchronizer.transfers(0, start);
  return mine;
}

}  // namespace gradwire::workers
