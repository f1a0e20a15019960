#include "topologies/export.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "topologies/address_plan.h"
#include "topologies/cost.h"

namespace gradwire::topologies {
namespace {

using Json = nlohmann::ordered_json;

std::size_t switch_number(const Topology& topology, NodeId node) {
  return node.index() - topology.hosts();
}

Json end_json(const Topology& topology, Attachment end) {
  if (topology.is_host(end.node)) return {{"host", end.node.index()}, {"port", end.port.index()}};
  return {{"switch", switch_number(topology, end.node)}, {"port", end.port.index()}};
}

Json host_json(const Topology& topology, NodeId host) {
  Json ports = Json::array();
  for (std::size_t number = 0; number < topology.ports_per_host(); ++number) {
    const Attachment here{host, Port(number)};
    const auto address = port_address(topology, here);
    Json port{{"port", number}, {"link", topology.link_at(here).index()}};
    if (address) port["address"] = to_string(*address);
    ports.push_back(std::move(port));
  }
  return {{"rank", host.index()}, {"label", topology.label(host)}, {"ports", std::move(ports)}};
}

Json switches_json(const Topology& topology) {
  Json switches = Json::array();
  for (const Tier& tier : topology.tiers()) {
    for (std::size_t i = 0; i < tier.switches; ++i) {
      const std::size_t number = tier.first_switch + i;
      switches.push_back({{"switch", number},
                          {"label", topology.label(topology.switch_node(number))},
                          {"tier", tier.name},
                          {"ports", topology.ports_of(topology.switch_node(number))}});
    }
  }
  return switches;
}

/// A name for a node that is an identifier in DOT.
std::string dot_id(const Topology& topology, NodeId node) {
  return topology.is_host(node) ? fmt::format("h{}", node.index())
                                : fmt::format("s{}", switch_number(topology, node));
}

/// One line of a drawing: nodes at the same height.
std::string dot_line(const Topology& topology, NodeId first, std::size_t count,
                     std::string_view shape) {
  std::string text = fmt::format("  {{ rank=same; node [shape={}];\n", shape);
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId node(first.index() + i);
    const std::string label = topology.label(node);
    text += topology.is_host(node)
                ? fmt::format("    h{0} [label=\"{0}\\n{1}\"];\n", node.index(), label)
                : fmt::format("    {} [label=\"{}\"];\n", dot_id(topology, node), label);
  }
  return text + "  }\n";
}

/// Quotes a field that holds a separator, a quote or a line end.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string cabling_label(const Topology& topology, NodeId node) {
  const std::string label = topology.label(node);
  return topology.is_host(node) ? fmt::format("host {} ({})", node.index(), label) : label;
}

/// The name of the tier that a cable climbs to.
std::string level_of(const Topology& topology, std::span<const Tier> tiers, NodeId upper) {
  if (topology.is_host(upper)) return "direct";
  return tiers[tier_of(tiers, switch_number(topology, upper))].name;
}

}  // namespace

std::string export_json(const Topology& topology) {
  const Cost cost = cost_of(topology);
  Json hosts = Json::array();
  for (std::size_t number = 0; number < topology.hosts(); ++number) {
    hosts.push_back(host_json(topology, NodeId(number)));
  }
  Json links = Json::array();
  for (const Link& link : topology.links()) {
    links.push_back({{"link", links.size()},
                     {"a", end_json(topology, link.a)},
                     {"b", end_json(topology, link.b)}});
    if (link.speed != 1) links.back()["speed"] = link.speed;
  }
  const Json whole{{"wiring", topology.name()},
                   {"switch_kind", kSwitchKinds.name_of(topology.switch_kind())},
                   {"cost",
                    {{"switches", cost.switches},
                     {"switch_ports", cost.switch_ports},
                     {"nics", cost.nics},
                     {"cables", cost.cables}}},
                   {"hosts", std::move(hosts)},
                   {"switches", switches_json(topology)},
                   {"links", std::move(links)}};
  return whole.dump(2) + "\n";
}

std::string export_dot(const Topology& topology) {
  std::string text = fmt::format("graph \"{}\" {{\n", topology.name());
  std::vector<Tier> tiers = topology.tiers();
  std::ranges::reverse(tiers);
  // Edges alone would put all levels of a BCube on one line; invisible ones pull them apart.
  std::string spine;
  for (const Tier& tier : tiers) {
    const NodeId first = topology.switch_node(tier.first_switch);
    text += dot_line(topology, first, tier.switches, "ellipse");
    spine += dot_id(topology, first) + " -- ";
  }
  text += dot_line(topology, NodeId(0), topology.hosts(), "box");
  if (!spine.empty()) text += fmt::format("  {}h0 [style=invis];\n", spine);
  for (const Link& link : topology.links()) {
    fmt::format_to(std::back_inserter(text), "  {} -- {}{};\n", dot_id(topology, link.b.node),
                   dot_id(topology, link.a.node),
                   link.speed == 1 ? "" : fmt::format(" [label=\"{}\"]", link.speed));
  }
  return text + "}\n";
}

std::string export_cabling(const Topology& topology) {
  const bool speeds = !topology.uniform_speed();
  std::string text =
      fmt::format("cable,level,a,a_port,a_address,b,b_port{}\n", speeds ? ",speed" : "");
  const std::vector<Tier> tiers = topology.tiers();
  for (std::size_t number = 0; number < topology.links().size(); ++number) {
    const auto& [a, b, speed] = topology.links()[number];
    const auto address = topology.is_host(a.node) ? port_address(topology, a) : std::nullopt;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}{}\n", number,
                   csv_field(level_of(topology, tiers, b.node)),
                   csv_field(cabling_label(topology, a.node)), a.port.index(),
                   address ? to_string(*address) : "", csv_field(cabling_label(topology, b.node)),
                   b.port.index(), speeds ? fmt::format(",{}", speed) : "");
  }
  return text;
}

}  // namespace gradwire::topologies
