#include "topologies/rail_optimised.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"
#include "topologies/speed.h"

namespace gradwire::topologies {
namespace {

using Sizes = RailOptimised::Sizes;

std::string name_of(const Sizes& sizes, double speed) {
  return fmt::format("rail-optimised({},{},{},{}{})", sizes.groups, sizes.hosts, sizes.rails,
                     sizes.spines, speed_suffix(speed));
}

std::size_t checked_hosts(const Sizes& sizes, double speed) {
  const std::string name = name_of(sizes, speed);
  const std::size_t hosts = checked_product(name, "hosts", kMaxHosts, {sizes.groups, sizes.hosts});
  if (hosts < 2) throw InputError(fmt::format("{}: there must be two hosts at least", name));
  (void)checked_product(name, "cables", kMaxCables, {hosts, sizes.rails});
  (void)checked_product(name, "uplinks", kMaxCables, {sizes.groups, sizes.rails, sizes.spines});
  return hosts;
}

/// The number of ports of every switch. Requires checked sizes.
std::vector<std::size_t> switch_ports(const Sizes& sizes) {
  const std::size_t leaves = sizes.groups * sizes.rails;
  std::vector<std::size_t> ports(leaves, sizes.hosts + sizes.spines);
  ports.resize(leaves + sizes.spines, leaves);
  return ports;
}

}  // namespace

RailOptimised::RailOptimised(const Sizes& sizes, double speed)
    : Topology(name_of(sizes, speed), checked_hosts(sizes, speed), sizes.rails,
               switch_ports(((void)checked_hosts(sizes, speed), sizes))),
      sizes_(sizes) {
  for (std::size_t number = 0; number < hosts(); ++number) {
    const std::size_t first_leaf = number / sizes.hosts * sizes.rails;
    for (std::size_t rail = 0; rail < sizes.rails; ++rail) {
      connect({NodeId(number), Port(rail)},
              {switch_node(first_leaf + rail), Port(number % sizes.hosts)});
    }
  }
  const std::size_t leaves = sizes.groups * sizes.rails;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::size_t spine = 0; spine < sizes.spines; ++spine) {
      connect({switch_node(leaf), Port(sizes.hosts + spine)},
              {switch_node(leaves + spine), Port(leaf)}, speed);
    }
  }
}

std::string RailOptimised::label(NodeId node) const {
  if (is_host(node)) {
    return fmt::format("group {} host {}", node.index() / sizes_.hosts,
                       node.index() % sizes_.hosts);
  }
  const SwitchPlace place = switch_place(node);
  if (place.tier == 1) return fmt::format("spine {}", place.index);
  return fmt::format("group {} leaf {}", place.group, place.index);
}

SwitchPlace RailOptimised::switch_place(NodeId node) const {
  const std::size_t number = switch_number(node);
  const std::size_t leaves = sizes_.groups * sizes_.rails;
  if (number >= leaves) return {.tier = 1, .index = number - leaves};
  return {.group = number / sizes_.rails, .index = number % sizes_.rails};
}

std::vector<Tier> RailOptimised::tiers() const {
  const std::size_t leaves = sizes_.groups * sizes_.rails;
  return {{"leaf", 0, leaves}, {"spine", leaves, sizes_.spines}};
}

Port RailOptimised::next_port(NodeId at, Rank to, Port to_port) const {
  if (is_host(at)) return to_port;
  const std::size_t number = at.index() - hosts();
  const std::size_t group = to.index() / sizes_.hosts;
  const std::size_t position = to.index() % sizes_.hosts;
  if (number >= sizes_.groups * sizes_.rails) return Port(group * sizes_.rails + to_port.index());
  if (number / sizes_.rails == group) return Port(position);
  return Port(sizes_.hosts + position % sizes_.spines);
}

Port RailOptimised::arrival_port(Rank from, Rank to) const {
  return spread_port(from, to);
}

}  // namespace gradwire::topologies
