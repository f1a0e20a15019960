#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "core/extent.h"
#include "core/goal.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/synchronizer.h"
#include "workloads/dense.h"

namespace gradwire::workers {

/// The gradient of fully connected layers with real inputs X and errors E (Late-multiply, 2017,
/// section 2.1), by the algorithm's collective:
///
///     all-reduce    Algorithm 1    own product ── synchronize K N gradients
///     all-gather    Algorithm 2    synchronize M (N + K) inputs and errors of each ── n products
///
/// Either way the rank ends with the average of all workers' E^T X. The times of an iteration are
/// those of the synchronization, as in any other job; ranks wait for each other before it and after
/// it, so that nobody's products take the processor that a slower rank still needs. Products are
/// timed by what the thread has of a processor.
class DenseAssignment final : public Assignment {
 public:
  /// Requires a job of a workload dense(...).
  DenseAssignment(const Job& job, const WorkerContext& context);

  /// Makes this rank's X and E, forms and synchronizes, and holds the average against one of double
  /// precision (workloads/dense/deviation.h).
  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return synchronizer_->unanswered();
  }

 private:
  DenseAssignment(const Job& job, const WorkerContext& context, const Goal& goal);
  /// Puts this rank's X and E where it has them before anything is sent.
  void make_share(std::size_t iteration);
  /// Algorithm 1's product, in place of the gradient that is synchronized.
  void multiply_own();
  /// Algorithm 2's products, of everybody's X and E.
  void multiply_all();
  /// Contribution of a worker, as this rank has it after an all-gather. Valid until the next call.
  [[nodiscard]] std::span<const float> share_of(Rank worker);
  void verify(std::size_t iteration, record::RankIteration& mine) const;

  Rank rank_;
  WorkerContext context_;
  workloads::DenseStack stack_;
  std::uint64_t seed_;
  bool is_late_;                   ///< whether products are formed after the synchronization
  std::vector<Rank> workers_;      ///< ranks that have samples
  Parts begins_;                   ///< by rank: where its X and E lie in an all-gather
  bool contributes_;               ///< whether this rank has samples; a dedicated server has none
  bool ends_;                      ///< whether this rank needs the average
  ElementBuffer buffer_;           ///< data that is synchronized
  std::span<float> synchronized_;  ///< all of the buffer
  std::vector<float> share_;  ///< X and E of one worker, unless they lie in the buffer in one piece
  std::vector<float> average_;  ///< the gradient after an all-gather; otherwise it is synchronized_
  std::unique_ptr<Synchronizer> synchronizer_;
};

}  // namespace gradwire::workers
