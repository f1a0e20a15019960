#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/pattern.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/synchronizer.h"

namespace gradwire::workers {

/// One gradient, synchronized as a whole, without computing. Or the flows of a calibration, which
/// sum nothing.
class PlainAssignment final : public Assignment {
 public:
  PlainAssignment(const Job& job, const WorkerContext& context);

  /// Fills the gradient, waits until every rank has, synchronizes it, and verifies the sums.
  [[nodiscard]] record::RankIteration iterate(const IterationRequest& request) override;
  [[nodiscard]] std::optional<FabricError> unanswered() const override {
    return synchronizer_->unanswered();
  }

 private:
  [[nodiscard]] record::RankIteration synchronize(bool trace);
  /// Sums are exact only of gradients that are what they were filled with. Throws FabricError for
  /// one that is not: the rank that holds it is named, before its value is in everybody's sums.
  void require_intact(const Pattern& pattern) const;

  Rank rank_;
  std::uint64_t seed_;
  WorkerContext context_;
  std::vector<float> gradient_;
  std::vector<Rank> contributors_;  ///< empty in a calibration
  bool contributes_ = false;
  std::unique_ptr<Synchronizer> synchronizer_;
};

}  // namespace gradwire::workers
