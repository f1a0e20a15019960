#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"
#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "harness/run/wiring_costs.h"
#include "results/record/point_record.h"
#include "topologies/link_limits.h"

namespace gradwire::run {

/// Facts known of a point before its first iteration; undilated.
struct Expectations {
  /// Bounds by bucket, of hybrid(...) with a network by stage; without computing one; empty: none.
  std::vector<Seconds> bounds;
  topologies::LinkLimits limits = {};     ///< limits of the bounds; bursts come back before each
  std::optional<Seconds> predicted = {};  ///< GST, as the simulator says
  std::optional<Seconds> latency = {};    ///< part of GST that messages of hardly any bytes take

  /// Bound of all buckets together.
  [[nodiscard]] std::optional<Seconds> bound() const;
};

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
