#include "topologies/describe.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"
#include "topologies/address_plan.h"
#include "topologies/cost.h"
#include "topologies/cut.h"

namespace gradwire::topologies {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr NameTable<SwitchKind, 2> kWhatSwitchesDo({{"bridging", SwitchKind::bridge},
                                                    {"routing", SwitchKind::router}});

std::string neighbours(const Topology& topology, Attachment host_port, std::size_t most) {
  const NodeId peer = topology.opposite(host_port).node;
  if (topology.is_host(peer)) return fmt::format("{}", peer.index());
  std::string text;
  std::size_t found = 0;
  for (std::size_t port = 0; port < topology.ports_of(peer); ++port) {
    const NodeId other = topology.opposite({peer, Port(port)}).node;
    if (!topology.is_host(other) || other == host_port.node) continue;
    if (found++ < most) text += fmt::format("{}{}", text.empty() ? "" : " ", other.index());
  }
  if (found > most) text += fmt::format(" and {} more", found - most);
  return text;
}

/// The other end of a port in words: "leaf 0 port 3", "host 4 (1,1) port 0", "leaf 0 port 3, speed
/// 2".
std::string wired_to(const Topology& topology, Attachment here) {
  const Attachment peer = topology.opposite(here);
  const std::string label = topology.label(peer.node);
  const double speed = topology.speed_at(here);
  return fmt::format(
      "{} port {}{}",
      topology.is_host(peer.node) ? fmt::format("host {} ({})", peer.node.index(), label) : label,
      peer.port.index(), speed == 1 ? "" : fmt::format(", speed {}", speed));
}

Row port_row(const Topology& topology, Attachment here, std::size_t max_neighbours) {
  const auto address = port_address(topology, here);
  return {fmt::format("{}", here.node.index()),
          topology.label(here.node),
          fmt::format("{}", here.port.index()),
          address ? to_string(*address) : "-",
          wired_to(topology, here),
          neighbours(topology, here, max_neighbours)};
}

std::string port_table(const Topology& topology, const DescribeOptions& options) {
  const std::size_t hosts =
      std::min(topology.hosts(), options.max_rows / topology.ports_per_host());
  static constexpr std::array<text::Heading, 6> kHeadings{
      {{.name = "rank"},
       {.name = "label", .left = true},
       {.name = "port"},
       {.name = "address", .left = true},
       {.name = "wired to", .left = true},
       {.name = "other ranks there", .left = true}}};
  std::vector<Row> rows;
  for (std::size_t number = 0; number < hosts; ++number) {
    for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
      rows.push_back(port_row(topology, {NodeId(number), Port(port)}, options.max_neighbours));
    }
  }
  std::string text = text::format_columns(kHeadings, std::move(rows), text::kNoMargins);
  if (hosts < topology.hosts()) {
    text += fmt::format("{} of {} hosts left out\n", topology.hosts() - hosts, topology.hosts());
  }
  const std::string why = why_no_addresses(topology);
  if (!why.empty()) text += fmt::format("no addresses: {}\n", why);
  return text;
}

/// The line about speeds: "speeds    16 cables of 1, 8 of 4" and a line end; nothing if all are 1.
std::string speed_line(const Topology& topology) {
  if (topology.uniform_speed()) return {};
  std::map<double, std::size_t> cables;
  for (const Link& link : topology.links()) ++cables[link.speed];
  std::string text;
  for (const auto& [speed, count] : cables) {
    text += fmt::format("{}{}{} of {}", text.empty() ? "" : ", ", count,
                        text.empty() ? " cables" : "", speed);
  }
  return fmt::format("speeds    {}\n", text);
}

std::string switches_line(const Topology& topology) {
  if (topology.switches() == 0) return "switches  0";
  std::string tiers;
  for (const Tier& tier : topology.tiers()) {
    tiers += fmt::format("{}{}: {}", tiers.empty() ? "" : ", ", tier.name, tier.switches);
  }
  std::size_t fewest = topology.ports_per_switch();
  for (std::size_t i = 0; i < topology.switches(); ++i) {
    fewest = std::min(fewest, topology.ports_of(topology.switch_node(i)));
  }
  const std::string least =
      fewest == topology.ports_per_switch() ? "" : fmt::format("{} to ", fewest);
  return fmt::format("switches  {}, ports each: {}{}, {} ({})", topology.switches(), least,
                     topology.ports_per_switch(), kWhatSwitchesDo.name_of(topology.switch_kind()),
                     tiers);
}

/// The row of a wiring, in the order of the columns.
Json cost_entry(const Topology& topology, const std::optional<Prices>& prices) {
  const Cost cost = cost_of(topology);
  Json entry{{"wiring", topology.name()},
             {"hosts", topology.hosts()},
             {"switches", cost.switches},
             {"ports_per_switch", topology.ports_per_switch()},
             {"switch_ports", cost.switch_ports},
             {"nics", cost.nics},
             {"cables", cost.cables},
             {"cut", cut_bound(topology).t_f}};
  if (prices) entry["price"] = price_of(cost, *prices);
  return entry;
}

std::string cell(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.10g}", value.get<double>()) : value.dump();
}

/// The header, and one row per wiring.
std::vector<Row> cost_rows(std::span<const std::unique_ptr<const Topology>> wirings,
                           const std::optional<Prices>& prices) {
  std::vector<Row> rows;
  for (const auto& wiring : wirings) {
    Row header;
    Row row;
    const Json entry = cost_entry(*wiring, prices);
    for (const auto& [name, value] : entry.items()) {
      header.push_back(name);
      const bool is_bound = name == "cut";
      row.push_back(is_bound ? fmt::format("{:.4f}", value.get<double>()) : cell(value));
    }
    if (rows.empty()) rows.push_back(header);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::string describe(const Topology& topology, const DescribeOptions& options) {
  const Cost cost = cost_of(topology);
  const CutBound bound = cut_bound(topology);
  const bool titled = topology.title() != topology.name();
  return fmt::format(
      "{}{}\n"
      "hosts     {}, ports each: {}\n"
      "{}\n"
      "cost      switches {}, switch ports {}, NICs {}, cables {}\n"
      "{}"
      "cut       {:.4f} T_F: {}\n\n{}",
      topology.name(), titled ? fmt::format(", {}", topology.title()) : "", topology.hosts(),
      topology.ports_per_host(), switches_line(topology), cost.switches, cost.switch_ports,
      cost.nics, cost.cables, speed_line(topology), bound.t_f, bound.cut,
      port_table(topology, options));
}

std::string cost_table(std::span<const std::unique_ptr<const Topology>> wirings,
                       const std::optional<Prices>& prices) {
  std::vector<Row> rows = cost_rows(wirings, prices);
  const Row names = std::move(rows.front());
  rows.erase(rows.begin());
  std::vector<text::Heading> headings;
  for (const std::string& name : names)
    headings.push_back({.name = name, .left = name == "wiring"});
  return text::format_columns(headings, std::move(rows), text::kNoMargins);
}

std::string cost_csv(std::span<const std::unique_ptr<const Topology>> wirings,
                     const std::optional<Prices>& prices) {
  std::string text;
  for (const Row& row : cost_rows(wirings, prices)) {
    // A wiring's name may hold a comma and never a quote.
    std::string line = row[0] == "wiring" ? row[0] : fmt::format("\"{}\"", row[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += "," + row[i];
    text += line + "\n";
  }
  return text;
}

std::string cost_json(std::span<const std::unique_ptr<const Topology>> wirings,
                      const std::optional<Prices>& prices) {
  Json list = Json::array();
  for (const auto& wiring : wirings) {
    Json entry = cost_entry(*wiring, prices);
    entry["cut_at"] = cut_bound(*wiring).cut;
    list.push_back(std::move(entry));
  }
  return list.dump(2) + "\n";
}

}  // namespace gradwire::topologies
