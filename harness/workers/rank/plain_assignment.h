#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/pattern.h"
#include "harness/workers/rank/assignment.h"
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
  /// A rank that adds into what it does not begin with finds zeros there, and nothing that an
  /// earlier iteration left may pass for a sum. What it never touches takes no memory.
  void fill();
  /// Sums are exact only of gradients that are what they were filled with. Throws FabricError for
  /// one that is not: the rank that holds it is named, before its value is in everybody's sums.
  void require_intact() const;
  [[nodiscard]] std::int64_t count_wrong() const;

  Rank rank_;
  WorkerContext context_;
  std::unique_ptr<GradientMemory> gradient_;
  std::optional<Pattern> pattern_;  ///< absent in a calibration
  std::vector<Extent> touched_;     ///< the elements that it has any use for
  std::vector<Extent> begins_;      ///< the elements that this rank contributes to
  std::vector<Extent> ends_;        ///< the elements whose sums it must hold
  std::unique_ptr<Synchronizer> synchronizer_;
};

}  // namespace gradwire::workers
