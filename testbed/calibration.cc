#include "testbed/calibration.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::SwitchKind;
using topologies::Topology;

/// Adds a ring of flows: each host on a bridge sends to the next, in the order of ports.
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

FlowLanes::FlowLanes(std::span<const Flow> flows) {
  for (const Flow& flow : flows) ports_.push_back(flow.via);
  std::ranges::sort(ports_);
  const auto doubles = std::ranges::unique(ports_);
  ports_.erase(doubles.begin(), doubles.end());
}

std::size_t FlowLanes::of(const Flow& flow) const {
  const auto found = std::ranges::lower_bound(ports_, flow.via);
  ensure(found != ports_.end() && *found == flow.via, "the flow is one of those with a lane");
  return static_cast<std::size_t>(found - ports_.begin());
}

Plan plan_of(std::span<const Flow> flows, Rank rank, std::size_t elements) {
  const FlowLanes lanes(flows);
  Plan plan;
  plan.lanes.resize(lanes.count(), Lane(1));
  for (const Flow& flow : flows) {
    const std::size_t lane = lanes.of(flow);
    const Extent extent{.first = lane * elements, .count = elements};
    Step& step = plan.lanes[lane][0];
    if (flow.from == rank) step.sends.push_back({{flow.to, flow.via, flow.at}, extent});
    if (flow.to == rank) {
      step.recvs.push_back({{flow.from, flow.at, flow.via}, extent, Combine::replace});
    }
  }
  return plan;
}

std::size_t buffer_elements(std::span<const Flow> flows, std::size_t elements) {
  return FlowLanes(flows).count() * elements;
}

std::vector<std::vector<std::size_t>> apart(std::span<const Flow> flows, std::size_t most) {
  struct Group {
    std::vector<std::size_t> flows;
    std::set<Rank> hosts;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const auto has_room = [&](const Group& group) {
      return group.flows.size() < most && !group.hosts.contains(flows[i].from) &&
             !group.hosts.contains(flows[i].to);
    };
    auto group = std::ranges::find_if(groups, has_room);
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->flows.push_back(i);
    group->hosts.insert({flows[i].from, flows[i].to});
  }
  std::vector<std::vector<std::size_t>> found;
  for (Group& group : groups) found.push_back(std::move(group.flows));
  return found;
}

}  // namespace gradwire::testbed
