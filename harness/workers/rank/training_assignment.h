#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "core/goal.h"
#include "core/pattern.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/computation.h"
#include "harness/workers/rank/synchronizer.h"
#include "schedule/policy.h"
#include "workloads/profile.h"

namespace gradwire::workers {

/// A training job on one rank (MG-WFBP, TPDS Algorithm 2).
///
///     set up      measure what buckets cost; rank 0 chooses them and tells the others
///     iteration   compute thread:        forward │ backward L │ backward L-1 │ ... │ backward 1
///                 communication thread:           wait ── bucket 0 ── bucket 1 ── ...
///     afterwards  verify the sums, update the parameters
///
/// The gradient lies in backward order, so that a bucket is one extent. A bucket's Plan runs
/// through the algorithm's lanes as soon as its last gradient is ready and the bucket before it is
/// done. Computing passes time and fills the gradient; the update is not timed, as the profile's
/// device would do it.
class TrainingAssignment final : public Assignment {
 public:
  TrainingAssignment(const Job& job, const WorkerContext& context);

  [[nodiscard]] std::optional<JobPlan> plan() const override { return plan_; }
  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return synchronizer_->unanswered();
  }

 private:
  class Filler;

  TrainingAssignment(const Job& job, const WorkerContext& context, const Goal& goal);
  void choose_buckets(const Job& job);
  [[nodiscard]] std::vector<algorithms::BucketAmount> amounts() const;
  /// On the calling thread. Returns when the backward pass was over.
  [[nodiscard]] TimePoint compute(TimePoint start);
  /// On a thread of its own. Fills in buckets and transfers.
  void communicate(record::RankIteration& mine, bool trace, TimePoint start);
  void wait_for(std::size_t layers);
  void publish(std::size_t layers);
  void update();
  [[nodiscard]] std::uint64_t digest() const;

  Rank rank_;
  WorkerContext context_;
  workloads::Profile profile_;
  double dilation_;
  Computation computation_;
  std::shared_ptr<ElementBuffer> memory_;
  std::span<float> gradient_;
  std::vector<float> parameters_;  ///< empty on a rank that only serves parameters
  Pattern pattern_;
  bool contributes_;  ///< whether it computes gradients; a dedicated server does not
  float rate_;        ///< rate of learning, for a sum of gradients
  JobPlan plan_;
  std::unique_ptr<Synchronizer> synchronizer_;
  std::vector<TimePoint> ready_at_;     ///< by layer, in backward order
  std::atomic<std::size_t> ready_ = 0;  ///< layers whose gradient is ready; publishes ready_at_
};

}  // namespace gradwire::workers
