#include "harness/run/measuring/standing_wiring.h"

#include "topologies/load.h"

namespace gradwire::run {

void StandingWiring::add_planned(std::span<const Plan> plans, Dtype type, std::size_t iterations,
                                 std::vector<PlannedTraffic>& planned) const {
  const topologies::Topology& wiring = *topology();
  const topologies::LinkLoad load = topologies::load_of(wiring, plans);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const std::size_t ports = wiring.ports_per_host();
    const LinkId link = wiring.link_at({NodeId(i / ports), Port(i % ports)});
    const std::size_t bytes = iterations * size_of(type);
    const topologies::Hop out{.link = link, .from_a = true};
    const topologies::Hop in{.link = link, .from_a = false};
    planned[i].sent_bytes += load.at(out) * bytes;
    planned[i].received_bytes += load.at(in) * bytes;
    planned[i].messages += (load.messages_at(out) + load.messages_at(in)) * iterations;
  }
}

}  // namespace gradwire::run
