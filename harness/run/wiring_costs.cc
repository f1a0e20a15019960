#include "harness/run/wiring_costs.h"

#include <utility>

#include "topologies/cut.h"
#include "topologies/topology.h"

namespace gradwire::run {

record::WiringCost WiringCosts::of(const PreparedPoint& point) {
  const topologies::Topology& wiring = *point.point.wiring;
  const std::string& name = wiring.name();
  if (!wirings_.contains(name)) {
    wirings_[name] = {.all_reduce = topologies::cut_bound(wiring),
                      .cost = topologies::cost_of(wiring)};
  }
  const Known& known = wirings_.at(name);
  topologies::CutBound cut = known.all_reduce;
  auto elements = static_cast<double>(point.configuration.elements);
  if (point.configuration.collective != record::kAllReduce) {
    cut = topologies::cut_bound(wiring, point.goal);
    elements = 1;  // this bound counts them
  }
  record::WiringCost cost{.cut = cut.t_f * time_to_send(elements * sizeof(float),
                                                        experiment::payload_rate(*experiment_)),
                          .cut_name = std::move(cut.cut),
                          .cost = known.cost};
  if (experiment_->prices) cost.price = price_of(known.cost, *experiment_->prices);
  return cost;
}

}  // namespace gradwire::run
