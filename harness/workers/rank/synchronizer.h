#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collectives/algorithms/amount.h"
#include "core/clock.h"
#include "core/elements.h"
#include "core/error.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "transport/device/staged.h"
#include "transport/execution/connect.h"

namespace gradwire::workers {

/// Sums the buckets of a rank's gradient with those of all other ranks: by Plans over a transport
/// of ours, or somebody else's library.
class Synchronizer {
 public:
  virtual ~Synchronizer() = default;

  /// Sums one bucket. Collective: blocks until this rank is done. Throws FabricError.
  virtual void synchronize(std::size_t bucket) = 0;

  /// Moves what synchronize() has left elsewhere to where the goal has it: libraries have memory of
  /// their own kind. No part of what is measured.
  virtual void put_in_place(std::size_t bucket) { static_cast<void>(bucket); }

  /// The peer that acknowledges nothing of what was sent to it, as far as that can be seen. Not while
  /// it runs.
  [[nodiscard]] virtual std::optional<FabricError> unanswered() const { return std::nullopt; }

  /// Whether synchronize() notes its transfers, if it can. Not while it runs.
  virtual void record(bool on) = 0;
  /// The transfers of the last synchronize(), if it noted them, as belonging to `bucket` of an
  /// iteration that began at `start`.
  [[nodiscard]] virtual std::vector<record::TracedTransfer> transfers(std::size_t bucket,
                                                                      TimePoint start) const = 0;
};

/// Ends that a rank connects its part of a job with. Refers to both.
[[nodiscard]] execution::RankEnds ends_of(const Job& job, const WorkerContext& context);

/// Connects this rank for the buckets of its job, or for the flows of a calibration, whose only
/// bucket is all of them, once all ranks' Plans are seen to belong together. `gradient` and what the context refers to must outlive it. Collective:
/// blocks until all ranks are connected. Throws FabricError, InputError.
[[nodiscard]] std::unique_ptr<Synchronizer> make_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets, Elements gradient,
    const WorkerContext& context);

/// Connects this rank for Plans of ours that are made already, a stage for each bucket.
[[nodiscard]] std::unique_ptr<Synchronizer> make_synchronizer(const Job& job,
                                                              const StagedPlan& stages,
                                                              Elements gradient,
                                                              const WorkerContext& context);

/// Connects this rank for a gradient in the memory of a device. Throws DeviceError, too.
[[nodiscard]] std::unique_ptr<Synchronizer> make_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets,
    const transport::device::DeviceGradient& gradient, const WorkerContext& context);

/// Waits for all ranks, synchronizes the only bucket of a job, and takes its times, and its transfers
/// if they are to be noted. Collective: blocks until this rank is done. Throws FabricError.
[[nodiscard]] record::RankIteration synchronize_all(Synchronizer& synchronizer,
                                                    const WorkerContext& context, bool trace);

}  // namespace gradwire::workers
