#include "harness/run/wiring_costs.h"

#include "topologies/cut.h"
#include "topologies/topology.h"

namespace gradwire::run {

record::WiringCost WiringCosts::of(const topologies::Topology& wiring, double bytes) {
  const std::string& name = wiring.name();
  if (!wirings_.contains(name)) {
    const topologies::CutBound cut = topologies::cut_bound(wiring);
    wirings_[name] = {.cut_t_f = cut.t_f, .cut_name = cut.cut, .cost = topologies::cost_of(wiring)};
  }
  const Known& known = wirings_.at(name);
  record::WiringCost cost{
      .cut = known.cut_t_f * time_to_send(bytes, experiment::payload_rate(*experiment_)),
      .cut_name = known.cut_name,
      .cost = known.cost};
  if (experiment_->prices) cost.price = price_of(known.cost, *experiment_->prices);
  return cost;
}

}  // namespace gradwire::run
