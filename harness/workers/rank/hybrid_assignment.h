#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/synchronizer.h"
#include "workloads/dense/hybrid_step.h"

namespace gradwire::workers {

/// A step of training in hybrid parallelism with real numbers (Late-multiply, 2017, section 2.2):
///
///     workers   convolutions ─┐            ┌─ back through them ─┐               ┌─ new weights
///                             inputs     errors              gradients, summed
///     host                    └─ stack ────┘
///
/// The times of an iteration are those of the three synchronizations, one after the other, each until its
/// last rank is done: ranks wait for each other around each of them, and nobody's computing counts.
class HybridAssignment final : public Assignment {
 public:
  /// Requires a job of a workload hybrid(...) with a network, and of float32.
  HybridAssignment(const Job& job, const WorkerContext& context);

  /// Makes weights and samples, takes a step, and holds the weights after it against those of a single
  /// device with everybody's samples. The stack's are the same to the bit; of the replicated ones a weight
  /// is wrong that is further off than sums in another order explain.
  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return synchronizer_->unanswered();
  }

 private:
  /// Synchronizes a stage with all ranks, and adds the time until the last is done to `mine`.
  void synchronize(std::size_t stage, bool trace, record::RankIteration& mine);
  [[nodiscard]] dense::Batch<float> batch_of(std::size_t iteration) const;
  /// Part of all inputs or errors that is this worker's.
  [[nodiscard]] std::span<float> own(std::span<float> of_all) const;
  [[nodiscard]] std::int64_t count_wrong(std::size_t iteration,
                                         const dense::Weights<float>& after) const;

  WorkerContext context_;
  dense::HybridNetwork network_;
  std::uint64_t seed_;
  std::size_t samples_;               ///< samples of a worker
  std::size_t workers_;               ///< number of workers
  std::optional<std::size_t> place_;  ///< this rank's among them; none of a dedicated server
  bool has_stack_;
  ElementBuffer buffer_;  ///< replicated gradients, then inputs, then errors
  std::span<float> gradient_;
  std::span<float> inputs_;  ///< inputs of all workers
  std::span<float> errors_;
  std::unique_ptr<Synchronizer> synchronizer_;
};

}  // namespace gradwire::workers
