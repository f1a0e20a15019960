#pragma once

#include <map>
#include <string>

#include "harness/experiment/experiment.h"
#include "results/record/row.h"
#include "topologies/cost.h"

namespace gradwire::run {

/// Works out each wiring's cut bound and cost once. The experiment must outlive it.
class WiringCosts {
 public:
  explicit WiringCosts(const experiment::Experiment& experiment) : experiment_(&experiment) {}

  /// Of a gradient of so many bytes, at the experiment's payload rate and prices.
  [[nodiscard]] record::WiringCost of(const topologies::Topology& wiring, double bytes);

 private:
  struct Known {
    double cut_t_f = 0;
    std::string cut_name;
    topologies::Cost cost;
  };

  const experiment::Experiment* experiment_;
  std::map<std::string, Known> wirings_;
};

}  // namespace gradwire::run
