#include "harness/run/wiring_costs.h"

#include "topologies/cut.h"
#include "topologies/topology.h"

namespace gradwire::run {

record::WiringCost WiringCosts::of(const record::Configuration& configuration) {
  const std::string& name = configuration.wiring;
  if (!wirings_.contains(name)) {
    const auto topology = topologies::make_topology(name);
    const topologies::CutBound cut = topologies::cut_bound(*topology);
    wirings_[name] = {
        .cut_t_f = cut.t_f, .cut_name = cut.cut, .cost = topologies::cost_of(*topology)};
  }
  const Known& known = wirings_.at(name);
  const auto bytes = static_cast<double>(configuration.bytes());
  record::WiringCost wiring{
      .cut = known.cut_t_f * time_to_send(bytes, experiment::payload_rate(*experiment_)),
      .cut_name = known.cut_name,
      .cost = known.cost};
  if (experiment_->prices) wiring.price = price_of(known.cost, *experiment_->prices);
  return wiring;
}

}  // namespace gradwire::run
