#include "harness/run/wiring_costs.h"

#include <utility>

#include "topologies/cut.h"
#include "topologies/topology.h"

namespace gradwire::run {

record::WiringCost WiringCosts::of(const PreparedPoint& point) {
  const topologies::Topology& wiring = *point.task.wiring;
  const std::string& name = wiring.name();
  if (!wirings_.contains(name)) {
    wirings_[name] = {.all_reduce = topologies::cut_bound(wiring),
                      .cost = topologies::cost_of(wiring)};
  }
  const Known& known = wirings_.at(name);
  topologies::CutBound cut = known.all_reduce;
  auto bytes = static_cast<double>(point.configuration.bytes());
  // Hosts that only serve parameters need not be reached by anything: less must cross.
  if (point.configuration.collective != record::kAllReduce || !servers(point.goal).empty()) {
    cut = topologies::cut_bound(wiring, point.goal);
    bytes = static_cast<double>(size_of(point.configuration.type));  // this bound counts elements
  }
  record::WiringCost cost{
      .cut = cut.t_f * time_to_send(bytes, experiment::payload_rate(*experiment_)),
      .cut_name = std::move(cut.cut),
      .cost = known.cost};
  if (experiment_->prices) cost.price = price_of(known.cost, *experiment_->prices);
  return cost;
}

}  // namespace gradwire::run
