#include "testbed/hosts/switch_name.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"

namespace gradwire::hosts {
namespace {

std::string name_in(const topologies::FatTree& tree, NodeId node) {
  using Layer = topologies::FatTree::Layer;
  const topologies::FatTree::Place place = tree.place(node);
  switch (place.layer) {
    case Layer::edge:
      return fmt::format("P{}-E{}", place.group, place.index);
    case Layer::aggregation:
      return fmt::format("P{}-A{}", place.group, place.index);
    case Layer::core:
      return fmt::format("C{}", place.group * (tree.p() / 2) + place.index);
  }
  throw InternalError("a Fat-Tree has three layers");
}

}  // namespace

std::string switch_name(const topologies::Topology& topology, NodeId node) {
  ensure(!topology.is_host(node), "only switches have a switch's name");
  const std::size_t number = node.index() - topology.hosts();
  if (const auto* const tree = dynamic_cast<const topologies::FatTree*>(&topology)) {
    return name_in(*tree, node);
  }
  if (dynamic_cast<const topologies::BCube*>(&topology) != nullptr) {
    const std::size_t in_level = topology.switches() / topology.ports_per_host();
    return fmt::format("L{}-{}", number / in_level, number % in_level);
  }
  return fmt::format("S{}", number);
}

}  // namespace gradwire::hosts
