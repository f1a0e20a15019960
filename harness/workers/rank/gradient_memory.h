#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "collectives/algorithms/amount.h"
#include "core/dtype.h"
#include "core/elements.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/rank_memory.h"
#include "harness/workers/rank/synchronizer.h"

namespace gradwire::workers {

/// A rank's gradient, in whichever memory it lies.
class GradientMemory {
 public:
  virtual ~GradientMemory() = default;

  /// All of it.
  [[nodiscard]] virtual const RankMemory& data() const = 0;
  /// Makes a synchronizer, as make_synchronizer, for this gradient, which must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Synchronizer> connect(
      const Job& job, std::span<const algorithms::BucketAmount> buckets,
      const WorkerContext& context) = 0;
};

/// Memory for so many elements of the job's type, where the job says; what is in it counts for
/// nothing, as other jobs of the rank may share it. Throws DeviceError where a device is asked for and
/// the context has none.
[[nodiscard]] std::unique_ptr<GradientMemory> make_gradient_memory(const Job& job,
                                                                   std::size_t elements,
                                                                   const WorkerContext& context);

/// Memory of the host for so many elements of a type, else as make_gradient_memory.
[[nodiscard]] std::shared_ptr<ElementBuffer> make_host_memory(Dtype type, std::size_t elements,
                                                              const WorkerContext& context);

}  // namespace gradwire::workers
