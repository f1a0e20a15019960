#pragma once

#include <memory>
#include <optional>

#include "core/goal.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/goal_check.h"
#include "harness/workers/rank/gradient_memory.h"
#include "harness/workers/rank/synchronizer.h"

namespace gradwire::workers {

/// One gradient, synchronized as a whole, or one collective of another kind, without computing. Or
/// the flows of a calibration, which sum nothing.
class PlainAssignment final : public Assignment {
 public:
  PlainAssignment(const Job& job, const WorkerContext& context);

  /// Fills what this rank begins with, waits until every rank has, synchronizes, and verifies what
  /// the rank must end with.
  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return synchronizer_->unanswered();
  }

 private:
  PlainAssignment(const Job& job, const WorkerContext& context, Goal goal);

  WorkerContext context_;
  std::unique_ptr<GradientMemory> gradient_;
  std::optional<GoalCheck> check_;  ///< absent in a calibration
  std::unique_ptr<Synchronizer> synchronizer_;
};

}  // namespace gradwire::workers
