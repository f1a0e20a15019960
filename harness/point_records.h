#pragma once

#include <cstddef>
#include <optional>

#include "harness/campaign.h"
#include "harness/experiment/experiment.h"
#include "harness/report/cost_table.h"
#include "harness/store/point_record.h"

namespace gradwire::harness {

/// Makes the records of an experiment's points, which must outlive it.
class PointRecords {
 public:
  PointRecords(const Experiment& experiment, std::size_t session)
      : experiment_(&experiment), session_(session), costs_(experiment) {}

  [[nodiscard]] PointRecord of(const PreparedPoint& point, double dilation,
                               std::optional<Seconds> bound, std::optional<TrainingPlan> training);

 private:
  const Experiment* experiment_;
  std::size_t session_;
  WiringCosts costs_;
};

}  // namespace gradwire::harness
