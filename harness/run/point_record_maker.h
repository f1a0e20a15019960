#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/experiment/experiment.h"
#include "harness/run/measuring/expectations.h"
#include "harness/run/prepare.h"
#include "harness/run/wiring_costs.h"
#include "results/record/point_record.h"

namespace gradwire::run {

/// Makes the records of an experiment's points, which must outlive it.
class PointRecordMaker {
 public:
  PointRecordMaker(const experiment::Experiment& experiment, std::size_t attempt)
      : experiment_(&experiment), attempt_(attempt), costs_(experiment) {}

  [[nodiscard]] record::PointRecord of(const PreparedPoint& point, double dilation,
                                       const Expectations& expected,
                                       std::optional<record::TrainingPlan> training);

 private:
  [[nodiscard]] std::string integrity_of(const PreparedPoint& point) const;
  /// Less what bursts save. Absent without a rate: no time follows from a wiring then.
  [[nodiscard]] std::optional<record::WiringCost> wiring_of(const PreparedPoint& point,
                                                            const Expectations& expected);

  const experiment::Experiment* experiment_;
  std::size_t attempt_;
  WiringCosts costs_;
};

}  // namespace gradwire::run
