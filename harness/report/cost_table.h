#pragma once

#include <map>
#include <span>
#include <string>

#include "core/units.h"
#include "harness/experiment/experiment.h"
#include "harness/report/result.h"

/// What a wiring costs beside what it is worth.
namespace gradwire::harness {

/// Works out each wiring's cut bound and cost once. The experiment must outlive it.
class WiringCosts {
 public:
  explicit WiringCosts(const Experiment& experiment) : experiment_(&experiment) {}

  /// Of the configuration's wiring and gradient, at the experiment's payload rate and prices.
  [[nodiscard]] WiringCost of(const Configuration& configuration);

 private:
  struct Known {
    double cut_t_f = 0;
    std::string cut_name;
    topologies::Cost cost;
  };

  const Experiment* experiment_;
  std::map<std::string, Known> wirings_;
};

/// A table for people: GST in units of T_F, the cut bound beside it, and GST x switches, switch
/// ports, NICs, cables and price. `rate` is the links', undilated. Empty without rows.
[[nodiscard]] std::string format_cost_table(BitRate rate, std::span<const Row> rows);

}  // namespace gradwire::harness
