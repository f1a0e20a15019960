#pragma once

#include <memory>
#include <optional>

#include "core/clock.h"
#include "core/error.h"
#include "harness/workers/job.h"
#include "transport/cancellation.h"
#include "transport/device/device.h"
#include "transport/rendezvous.h"

namespace gradwire::workers {

class SharedGradients;

/// Means that a worker's jobs are done with. The references outlive the jobs.
struct WorkerContext {
  transport::Rendezvous& rendezvous;
  transport::Cancellation& cancellation;
  const Clock& clock;
  transport::device::Device* device = nullptr;  ///< null: gradients lie in the host's memory
  SharedGradients* shared = nullptr;            ///< null: every job has memory of its own
};

/// A job that is set up on one rank.
class Assignment {
 public:
  virtual ~Assignment() = default;

  /// Plan that it decided on before its first iteration, if it had to.
  [[nodiscard]] virtual std::optional<JobPlan> plan() const { return std::nullopt; }

  /// The peer that acknowledges nothing of what an iteration sent to it. A rank that has sent all it
  /// had to send waits for nobody, and does not notice.
  [[nodiscard]] virtual std::optional<FabricError> unanswered() const = 0;

  /// One iteration. Collective: waits for every rank before it begins. Throws FabricError.
  [[nodiscard]] virtual record::RankIteration iterate(const IterationRequest& request) = 0;
};

/// Sets a job up. Collective: blocks until all ranks are connected, and a training job has measured
/// its costs. Throws InputError, FabricError.
[[nodiscard]] std::unique_ptr<Assignment> make_assignment(const Job& job,
                                                          const WorkerContext& context);

}  // namespace gradwire::workers
