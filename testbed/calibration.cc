#include "testbed/calibration.h"

#include "topologies/peers.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::SwitchKind;
using topologies::Topology;

/// The hosts on a bridge in port order, each sending to the next.
void add_ring(const Topology& topology, NodeId bridge, std::vector<Flow>& flows) {
  const std::size_t ports = topology.ports_per_switch();
  for (std::size_t port = 0; port < ports; ++port) {
    const Attachment from = topology.opposite({bridge, Port(port)});
    const Attachment to = topology.opposite({bridge, Port((port + 1) % ports)});
    flows.push_back({.from = Rank(from.node.index()),
                     .via = from.port,
                     .to = Rank(to.node.index()),
                     .at = to.port});
  }
}

}  // namespace

std::vector<Flow> calibration_flows(const Topology& topology) {
  std::vector<Flow> flows;
  if (topology.switch_kind() == SwitchKind::bridge) {
    for (std::size_t i = 0; i < topology.switches(); ++i) {
      add_ring(topology, topology.switch_node(i), flows);
    }
    return flows;
  }
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    const Rank from(i);
    const Rank to((i + topology.hosts() / 2) % topology.hosts());
    const Peer peer = topologies::send_peer(topology, from, to);
    flows.push_back({.from = from, .via = peer.via, .to = to, .at = peer.at});
  }
  return flows;
}

std::vector<Plan> plans_of(std::span<const Flow> flows, std::size_t ranks, std::size_t elements) {
  std::vector<Plan> plans(ranks);
  for (Plan& plan : plans) plan.lanes.resize(flows.size(), Lane(1));
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const Flow& flow = flows[i];
    const Extent extent{.first = i * elements, .count = elements};
    plans[flow.from.index()].lanes[i][0].sends.push_back({{flow.to, flow.via, flow.at}, extent});
    plans[flow.to.index()].lanes[i][0].recvs.push_back(
        {{flow.from, flow.at, flow.via}, extent, Combine::replace});
  }
  return plans;
}

}  // namespace gradwire::testbed
