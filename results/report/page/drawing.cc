#include "results/report/page/drawing.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/count.h"
#include "core/error.h"
#include "results/record/timeline.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using topologies::LinkLoad;
using topologies::Topology;

/// The wiring, if it is small enough to be drawn; else null.
std::unique_ptr<const Topology> drawn_topology(const record::Configuration& configuration) {
  const std::string& wiring = configuration.wiring;
  if (configuration.ranks > kMostDrawnHosts || topologies::names_a_file(wiring)) return nullptr;
  try {
    auto topology = topologies::make_topology(wiring);
    const bool same = topology->hosts() == configuration.ranks &&
                      topology->ports_per_host() == configuration.ports_per_host;
    return same && topology->links().size() <= kMostDrawnLinks ? std::move(topology) : nullptr;
  } catch (const std::exception&) {  // whatever a folder names, the rest of it is drawn
    return nullptr;
  }
}

json layers_of(const Topology& topology) {
  json layers = {"hosts"};
  for (const topologies::Tier& tier : topology.tiers()) layers.push_back(tier.name);
  return layers;
}

json nodes_of(const Topology& topology) {
  json nodes = json::array();
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    nodes.push_back({{"name", topology.label(NodeId(i))}, {"layer", 0}});
  }
  std::size_t layer = 0;
  for (const topologies::Tier& tier : topology.tiers()) {
    ++layer;
    for (std::size_t i = 0; i < tier.switches; ++i) {
      const NodeId node = topology.switch_node(tier.first_switch + i);
      nodes.push_back({{"name", topology.label(node)}, {"layer", layer}});
    }
  }
  return nodes;
}

/// Plans that are drawn, of all ranks, with the bytes of an element.
struct Drawn {
  const Topology& topology;
  std::vector<Plan> plans;
  std::size_t element_bytes;

  [[nodiscard]] double bytes_at(const LinkLoad& load, std::size_t link, bool from_a) const {
    return static_cast<double>(load.at({.link = LinkId(link), .from_a = from_a}) * element_bytes);
  }
};

json step_json(const Drawn& drawn, std::size_t step) {
  const auto& [topology, plans, element_bytes] = drawn;
  const LinkLoad load = topologies::load_of_step(topology, plans, step);
  json links = json::array();
  for (std::size_t i = 0; i < topology.links().size(); ++i) {
    const double ab = drawn.bytes_at(load, i, true);
    const double ba = drawn.bytes_at(load, i, false);
    if (ab > 0 || ba > 0) links.push_back({i, ab, ba});
  }
  json sends = json::array();
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (const Lane& lane : plans[rank].lanes) {
      if (step >= lane.size()) continue;
      for (const Send& send : lane[step].sends) {
        sends.push_back({rank, send.to.rank.index(), send.what.count * element_bytes});
      }
    }
  }
  return {{"links", std::move(links)}, {"sends", std::move(sends)}};
}

json totals_json(const Drawn& drawn) {
  const LinkLoad load = topologies::load_of(drawn.topology, drawn.plans);
  json links = json::array();
  for (std::size_t i = 0; i < drawn.topology.links().size(); ++i) {
    links.push_back(
        {{"ab", drawn.bytes_at(load, i, true)}, {"ba", drawn.bytes_at(load, i, false)}});
  }
  return links;
}

}  // namespace

json draw_wiring(const record::Configuration& configuration) {
  json wiring = {{"name", configuration.wiring},
                 {"N", configuration.ranks},
                 {"k", configuration.ports_per_host},
                 {"layers", json::array()},
                 {"nodes", nullptr},
                 {"links", nullptr}};
  const auto topology = drawn_topology(configuration);
  if (!topology) return wiring;
  wiring["layers"] = layers_of(*topology);
  wiring["nodes"] = nodes_of(*topology);
  json& links = wiring["links"] = json::array();
  for (const topologies::Link& link : topology->links()) {
    links.push_back(
        {{"a", link.a.node.index()}, {"b", link.b.node.index()}, {"speed", link.speed}});
  }
  return wiring;
}

json draw_plan(const record::Configuration& configuration, const PlanMaker& make) try {
  const auto topology = drawn_topology(configuration);
  if (!topology) return nullptr;
  const Drawn drawn{.topology = *topology,
                    .plans = make(configuration, *topology),
                    .element_bytes = size_of(configuration.type)};
  const std::vector<Plan>& plans = drawn.plans;
  json drawing = {{"wiring", configuration.wiring},
                  {"algorithm", configuration.algorithm},
                  {"bytes", configuration.bytes()},
                  {"links", totals_json(drawn)},
                  {"steps", nullptr}};
  if (record::count_transfers(plans) > 2 * kMostDrawnSends)
    return drawing;  // a send is also received
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  json& played = drawing["steps"] = json::array();
  for (std::size_t step = 0; step < steps; ++step) {
    played.push_back(step_json(drawn, step));
  }
  return drawing;
} catch (const std::exception&) {
  return nullptr;
}

}  // namespace gradwire::report
