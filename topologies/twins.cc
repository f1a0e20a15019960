#include "topologies/twins.h"

namespace gradwire::topologies {
namespace {

/// Whether a host and the one before it can change places. Requires hosts with one port, and routes
/// by destination.
bool are_twins(const Topology& topology, Rank before, Rank host) {
  const Port port(0);
  const NodeId near = topology.opposite({topology.host(host), port}).node;
  if (topology.is_host(near)) return false;
  if (topology.opposite({topology.host(before), port}).node != near) return false;
  if (topology.speed_at({topology.host(before), port}) !=
      topology.speed_at({topology.host(host), port})) {
    return false;
  }
  for (std::size_t number = 0; number < topology.switches(); ++number) {
    const NodeId at = topology.switch_node(number);
    if (at == near) continue;
    if (topology.next_port(at, before, port) != topology.next_port(at, host, port)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> twin_runs(const Topology& topology) {
  const bool can_tell = topology.ports_per_host() == 1 && topology.routes_by_destination();
  std::vector<std::size_t> runs;
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    const bool goes_on = can_tell && host > 0 && are_twins(topology, Rank(host - 1), Rank(host));
    runs.push_back(goes_on ? runs.back() : host);
  }
  return runs;
}

}  // namespace gradwire::topologies
