#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "core/clock.h"
#include "core/plan.h"
#include "harness/job.h"
#include "transport/cancellation.h"
#include "transport/executor.h"
#include "transport/rendezvous.h"

namespace gradwire::harness {

/// What a worker's jobs are done with. The references outlive the jobs.
struct WorkerContext {
  transport::Rendezvous& rendezvous;
  transport::Cancellation& cancellation;
  const Clock& clock;
};

/// A job that is set up on one rank.
class Assignment {
 public:
  virtual ~Assignment() = default;

  /// What it decided before its first iteration, if it had to.
  [[nodiscard]] virtual std::optional<JobPlan> plan() const { return std::nullopt; }

  /// One iteration. Collective: waits for every rank before it begins. Throws FabricError.
  [[nodiscard]] virtual RankIteration iterate(const IterationRequest& request) = 0;
};

/// Sets a job up. Collective: blocks until all ranks are connected, and a training job has measured
/// its costs. Throws InputError, FabricError.
[[nodiscard]] std::unique_ptr<Assignment> make_assignment(const Job& job,
                                                          const WorkerContext& context);

/// Connects this rank's lanes. `gradient` must outlive the executor. Collective. Throws
/// FabricError.
[[nodiscard]] std::unique_ptr<transport::Executor> connect(const Job& job, const StagedPlan& plan,
                                                           std::span<float> gradient,
                                                           const WorkerContext& context);

/// The transfers that the executor did last and recorded, as belonging to `bucket` of an iteration
/// that began at `start`.
[[nodiscard]] std::vector<TracedTransfer> traced(const transport::Executor& executor,
                                                 std::size_t bucket, TimePoint start);

}  // namespace gradwire::harness
