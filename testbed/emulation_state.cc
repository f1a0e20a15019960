#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "core/units.h"
#include "testbed/emulation.h"
#include "testbed/link_state.h"
#include "testbed/net_namespace.h"

// What an emulation is like after it was built.
namespace gradwire::testbed {
namespace {

using topologies::Attachment;

std::string rate_of(std::uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return "no rate at all";
  return to_string(BitRate{8 * static_cast<double>(bytes_per_second)});
}

/// The rate that a shaper reports, which has 32 bits; 0 without a shaper.
std::uint64_t shown_rate(BitRate rate) {
  if (!rate.is_limited()) return 0;
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(rate.bytes_per_second()),
                                 std::numeric_limits<std::uint32_t>::max());
}

/// Describes how an end of a cable differs from what was built; empty when it does not.
std::string difference(const LinkState& state, const LinkShape& shape, bool on_bridge) {
  if (!state.set_up) return "is down";
  if (on_bridge && state.bridge == 0) return "is detached from its switch";
  if (state.mtu != shape.mtu) return fmt::format("has MTU {} instead of {}", state.mtu, shape.mtu);
  const std::uint64_t rate = shown_rate(shape.rate);
  if (state.shaped_to == rate) return "";
  return fmt::format("is shaped to {} instead of {}", rate_of(state.shaped_to), rate_of(rate));
}

/// The name of a cable's end: "rank 2, port 0", or for a switch "level 0 switch 1, port 0, to rank
/// 2, port 0".
std::string place_of_end(const topologies::Topology& topology, const Attachment& end) {
  const auto port_of = [&topology](const Attachment& one) {
    const std::string node = topology.is_host(one.node) ? fmt::format("rank {}", one.node.index())
                                                        : topology.label(one.node);
    return fmt::format("{}, port {}", node, one.port.index());
  };
  if (topology.is_host(end.node)) return port_of(end);
  return fmt::format("{}, to {}", port_of(end), port_of(topology.opposite(end)));
}

}  // namespace

std::vector<Emulation::SwitchSpace> Emulation::switch_spaces() const {
  std::vector<SwitchSpace> spaces;
  const std::vector<std::vector<Attachment>> ends = ends_by_place();
  for (std::size_t i = topology_.hosts(); i < ends.size(); ++i) {
    if (ends[i].empty()) continue;
    SwitchSpace space{.namespace_fd = nodes_[i].space.fd()};
    for (const Attachment& end : ends[i]) {
      space.interfaces.push_back({interface_at(end), end.node, end.port});
    }
    spaces.push_back(std::move(space));
  }
  if (spaces.empty() || topology_.switch_kind() != topologies::SwitchKind::bridge) return spaces;
  for (std::size_t i = 0; i < topology_.switches(); ++i) {
    const NodeId node = topology_.switch_node(i);
    spaces.front().interfaces.push_back({bridge_of(node), node, std::nullopt});
  }
  return spaces;
}

TcpCounters Emulation::tcp_counters(Rank rank) const {
  const InNamespace inside(namespace_of(rank));
  return read_tcp_counters();
}

std::vector<std::string> Emulation::differences() const {
  std::vector<std::string> found;
  const std::vector<std::vector<Attachment>> ends = ends_by_place();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    std::vector<std::string> names;
    for (const Attachment& end : ends[i]) names.push_back(interface_at(end));
    const InNamespace inside(nodes_[i].space.fd());
    const std::vector<LinkState> states = LinkReader().read(names);
    for (std::size_t j = 0; j < states.size(); ++j) {
      const Attachment& end = ends[i][j];
      const std::string what = difference(states[j], shape_, on_bridge(end.node));
      if (what.empty()) continue;
      found.push_back(fmt::format("{}: {} {}", place_of_end(topology_, end), names[j], what));
    }
  }
  return found;
}

}  // namespace gradwire::testbed
