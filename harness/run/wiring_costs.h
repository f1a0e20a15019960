#pragma once

#include <map>
#include <string>

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "results/record/row.h"
#include "topologies/cost.h"
#include "topologies/cut.h"

namespace gradwire::run {

/// Works out each wiring's cost, and its cut bound for an all-reduce, once. The experiment must
/// outlive it.
class WiringCosts {
 public:
  explicit WiringCosts(const experiment::Experiment& experiment) : experiment_(&experiment) {}

  /// Cost of a point's wiring, at the experiment's payload rate and prices.
  [[nodiscard]] record::WiringCost of(const PreparedPoint& point);

 private:
  struct Known {
    topologies::CutBound all_reduce;
    topologies::Cost cost;
  };

  const experiment::Experiment* experiment_;
  std::map<std::string, Known> wirings_;
};

}  // namespace gradwire::run
