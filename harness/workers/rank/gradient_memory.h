#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "core/extent.h"
#include "core/pattern.h"
#include "harness/names/amount.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/synchronizer.h"

namespace gradwire::workers {

/// A rank's gradient, in whichever memory it lies: what is put there, and looked at, between
/// synchronizations.
class GradientMemory {
 public:
  virtual ~GradientMemory() = default;

  /// Makes every element of an extent 0.
  virtual void clear(const Extent& extent) = 0;
  /// Puts there what the rank contributes to these elements.
  virtual void fill(const Pattern& pattern, Rank rank, const Extent& extent) = 0;
  /// Blocks until what was put there is there.
  virtual void settle() = 0;
  /// The first element of an extent that is not what fill() puts there.
  [[nodiscard]] virtual std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                                const Extent& extent) = 0;
  /// The number of elements of an extent that are not the pattern's sums.
  [[nodiscard]] virtual std::size_t count_wrong(const Pattern& pattern, const Extent& extent) = 0;
  /// The value of an element; of int64 the nearest double. For messages.
  [[nodiscard]] virtual double value_at(std::size_t element) = 0;
  /// As make_synchronizer, for this gradient, which must outlive what is made.
  [[nodiscard]] virtual std::unique_ptr<Synchronizer> connect(
      const Job& job, std::span<const names::BucketAmount> buckets,
      const WorkerContext& context) = 0;
};

/// Memory for so many elements of the job's type, where the job says. All of it is 0. Throws
/// DeviceError where a device is asked for and the context has none.
[[nodiscard]] std::unique_ptr<GradientMemory> make_gradient_memory(const Job& job,
                                                                   std::size_t elements,
                                                                   const WorkerContext& context);

}  // namespace gradwire::workers
