#include "topologies/describe.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "topologies/address_plan.h"
#include "topologies/cost.h"

namespace gradwire::topologies {
namespace {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces apart; numbers to the right.
std::string table(std::span<const Row> rows, std::span<const bool> right) {
  std::vector<std::size_t> width(right.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += right[i] ? fmt::format("{:>{}}", row[i], width[i])
                       : fmt::format("{:<{}}", row[i], width[i]);
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string neighbours(const Topology& topology, Attachment host_port, std::size_t most) {
  const NodeId peer = topology.opposite(host_port).node;
  std::string text;
  std::size_t found = 0;
  for (std::size_t port = 0; port < topology.ports_per_switch(); ++port) {
    const NodeId other = topology.opposite({peer, Port(port)}).node;
    if (!topology.is_host(other) || other == host_port.node) continue;
    if (found++ < most) text += fmt::format("{}{}", text.empty() ? "" : " ", other.index());
  }
  if (found > most) text += fmt::format(" and {} more", found - most);
  return text;
}

Row port_row(const Topology& topology, Attachment here, std::size_t max_neighbours) {
  const auto address = port_address(topology, here);
  const Attachment peer = topology.opposite(here);
  return {fmt::format("{}", here.node.index()),
          topology.label(here.node),
          fmt::format("{}", here.port.index()),
          address ? to_string(*address) : "-",
          fmt::format("{} port {}", topology.label(peer.node), peer.port.index()),
          neighbours(topology, here, max_neighbours)};
}

std::string port_table(const Topology& topology, const DescribeOptions& options) {
  const std::size_t hosts =
      std::min(topology.hosts(), options.max_rows / topology.ports_per_host());
  std::vector<Row> rows{{"rank", "label", "port", "address", "wired to", "other ranks there"}};
  for (std::size_t number = 0; number < hosts; ++number) {
    for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
      rows.push_back(port_row(topology, {NodeId(number), Port(port)}, options.max_neighbours));
    }
  }
  constexpr std::array kRight{true, false, true, false, false, false};
  std::string text = table(rows, kRight);
  if (hosts < topology.hosts()) {
    text += fmt::format("{} of {} hosts left out\n", topology.hosts() - hosts, topology.hosts());
  }
  if (!port_address(topology, {NodeId(0), Port(0)})) {
    text += "no addresses: the wiring is too large for the address plan\n";
  }
  return text;
}

using CostColumn = std::pair<std::string_view, std::size_t>;

std::vector<CostColumn> cost_columns(const Topology& topology) {
  const Cost cost = cost_of(topology);
  return {{"hosts", topology.hosts()},
          {"switches", cost.switches},
          {"ports_per_switch", topology.ports_per_switch()},
          {"switch_ports", cost.switch_ports},
          {"nics", cost.nics},
          {"cables", cost.cables}};
}

/// The header, and one row per wiring.
std::vector<Row> cost_rows(std::span<const std::unique_ptr<const Topology>> wirings) {
  std::vector<Row> rows;
  for (const auto& wiring : wirings) {
    Row header{"wiring"};
    Row row{wiring->name()};
    for (const auto& [name, value] : cost_columns(*wiring)) {
      header.emplace_back(name);
      row.push_back(fmt::format("{}", value));
    }
    if (rows.empty()) rows.push_back(header);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::string describe(const Topology& topology, const DescribeOptions& options) {
  const Cost cost = cost_of(topology);
  std::string tiers;
  for (const Tier& tier : topology.tiers()) {
    tiers += fmt::format("{}{}: {}", tiers.empty() ? "" : ", ", tier.name, tier.switches);
  }
  const bool bridges = topology.switch_kind() == SwitchKind::bridge;
  return fmt::format(
      "{}\n"
      "hosts     {}, ports each: {}\n"
      "switches  {}, ports each: {}, {} ({})\n"
      "cost      switches {}, switch ports {}, NICs {}, cables {}\n\n{}",
      topology.name(), topology.hosts(), topology.ports_per_host(), topology.switches(),
      topology.ports_per_switch(), bridges ? "bridging" : "routing", tiers, cost.switches,
      cost.switch_ports, cost.nics, cost.cables, port_table(topology, options));
}

std::string cost_table(std::span<const std::unique_ptr<const Topology>> wirings) {
  constexpr std::array kRight{false, true, true, true, true, true, true};
  return table(cost_rows(wirings), kRight);
}

std::string cost_csv(std::span<const std::unique_ptr<const Topology>> wirings) {
  std::string text;
  for (const Row& row : cost_rows(wirings)) {
    // A wiring's name may hold a comma and never a quote.
    std::string line = row[0] == "wiring" ? row[0] : fmt::format("\"{}\"", row[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += "," + row[i];
    text += line + "\n";
  }
  return text;
}

std::string cost_json(std::span<const std::unique_ptr<const Topology>> wirings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& wiring : wirings) {
    nlohmann::ordered_json entry{{"wiring", wiring->name()}};
    for (const auto& [name, value] : cost_columns(*wiring)) entry[std::string(name)] = value;
    list.push_back(std::move(entry));
  }
  return list.dump(2) + "\n";
}

}  // namespace gradwire::topologies
