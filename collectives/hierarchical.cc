#include "collectives/hierarchical.h"

#include <optional>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/nested_groups.h"
#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::collectives::hierarchical {
namespace {

using topologies::Topology;

/// The node at the other end of a host's port 0.
NodeId switch_of(const Topology& topology, std::size_t host) {
  return topology.opposite({topology.host(Rank(host)), Port(0)}).node;
}

/// The number of hosts that share a switch, seen from `rank`: looks at its own group and the first
/// only.
std::size_t hosts_per_switch(const Topology& topology, Rank rank) {
  const NodeId first = switch_of(topology, 0);
  std::size_t size = 1;
  while (size < topology.hosts() && switch_of(topology, size) == first) ++size;

  bool equal = !topology.is_host(first) && topology.hosts() % size == 0;
  const std::size_t begin = rank.index() / size * size;
  const NodeId own = switch_of(topology, rank.index());
  for (std::size_t i = 0; equal && i < size; ++i) equal = switch_of(topology, begin + i) == own;
  if (!equal) {
    throw InputError(
        fmt::format("hierarchical finds no equal groups on {}: say how many hosts are in one, "
                    "such as hierarchical(groups=4)",
                    topology.name()));
  }
  return size;
}

/// The given sizes, with the remaining factor as one more level.
std::vector<std::size_t> complete(std::vector<std::size_t> groups, const Topology& topology) {
  const auto product = topologies::product_up_to(topology.hosts(), groups);
  if (!product || *product == 0 || topology.hosts() % *product != 0) {
    throw InputError(fmt::format("the {} hosts of {} do not fall into groups of {}",
                                 topology.hosts(), topology.name(), fmt::join(groups, " x ")));
  }
  groups.push_back(topology.hosts() / *product);
  return groups;
}

/// The groups of the options, or of the wiring, without groups of one.
std::vector<std::size_t> groups_of(const Topology& topology, Rank rank, const Options& options) {
  std::vector<std::size_t> groups =
      options.groups.empty() ? natural_groups(topology, rank) : complete(options.groups, topology);
  std::erase(groups, std::size_t{1});
  return groups;
}

}  // namespace

std::vector<std::size_t> natural_groups(const Topology& topology, Rank rank) {
  std::vector<std::size_t> groups = topology.group_sizes();
  if (groups.empty()) groups = complete({hosts_per_switch(topology, rank)}, topology);
  std::erase(groups, std::size_t{1});
  return groups;
}

Plan plan(const Topology& topology, Rank rank, std::size_t elements, const Options& options) {
  std::vector<std::size_t> groups = groups_of(topology, rank, options);
  return {
      .lanes = {scatter_and_gather({.topology = topology,
                                    .self = rank,
                                    .position = rank.index(),
                                    .sizes = std::move(groups),
                                    .rank_of = [](std::size_t position) { return Rank(position); }},
                                   elements)},
      .stepping = Stepping::in_order};
}

Parts parts(const Topology& topology, std::size_t elements, const Options& options) {
  const std::vector<std::size_t> groups = groups_of(topology, Rank(0), options);
  Parts parts;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    parts.push_back({part_at(groups, elements, i)});
  }
  return parts;
}

double closed_form(std::size_t ranks) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

}  // namespace gradwire::collectives::hierarchical
