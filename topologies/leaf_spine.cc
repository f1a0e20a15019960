#include "topologies/leaf_spine.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"
#include "topologies/speed.h"

namespace gradwire::topologies {
namespace {

std::string name_of(std::size_t leaves, std::size_t hosts, std::size_t spines,
                    const LeafSpine::Options& options) {
  return fmt::format("leaf-spine({},{},{}{}{})", leaves, hosts, spines, speed_suffix(options.speed),
                     ecmp_suffix(options.ecmp));
}

std::size_t checked_hosts(const std::string& name, std::size_t leaves, std::size_t hosts) {
  const std::size_t all = checked_product(name, "hosts", kMaxHosts, {leaves, hosts});
  if (all < 2) throw InputError(fmt::format("{}: there must be two hosts at least", name));
  return all;
}

std::vector<std::size_t> switch_ports(const std::string& name, std::size_t leaves,
                                      std::size_t hosts, std::size_t spines) {
  (void)checked_product(name, "uplinks", kMaxCables, {leaves, spines});
  std::vector<std::size_t> ports(leaves, hosts + spines);
  ports.resize(leaves + spines, leaves);
  return ports;
}

}  // namespace

LeafSpine::LeafSpine(std::size_t leaves, std::size_t hosts_per_leaf, std::size_t spines,
                     const Options& options)
    : Topology(
          name_of(leaves, hosts_per_leaf, spines, options),
          checked_hosts(name_of(leaves, hosts_per_leaf, spines, options), leaves, hosts_per_leaf),
          1,
          switch_ports(name_of(leaves, hosts_per_leaf, spines, options), leaves, hosts_per_leaf,
                       spines)),
      leaves_(leaves),
      hosts_per_leaf_(hosts_per_leaf),
      spines_(spines),
      options_(options) {
  for (std::size_t i = 0; i < hosts(); ++i) {
    connect({NodeId(i), Port(0)}, {switch_node(i / hosts_per_leaf), Port(i % hosts_per_leaf)});
  }
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::size_t spine = 0; spine < spines; ++spine) {
      connect({switch_node(leaf), Port(hosts_per_leaf + spine)},
              {switch_node(leaves + spine), Port(leaf)}, options.speed);
    }
  }
}

double LeafSpine::oversubscription() const {
  return static_cast<double>(hosts_per_leaf_) / (static_cast<double>(spines_) * options_.speed);
}

std::string LeafSpine::label(NodeId node) const {
  if (is_host(node)) {
    return fmt::format("leaf {} host {}", node.index() / hosts_per_leaf_,
                       node.index() % hosts_per_leaf_);
  }
  const std::size_t number = node.index() - hosts();
  return number < leaves_ ? fmt::format("leaf {}", number)
                          : fmt::format("spine {}", number - leaves_);
}

std::vector<Tier> LeafSpine::tiers() const {
  return {{"leaf", 0, leaves_}, {"spine", leaves_, spines_}};
}

bool LeafSpine::goes_up(NodeId at, Rank to) const {
  const std::size_t number = at.index() - hosts();
  return !is_host(at) && number < leaves_ && number != to.index() / hosts_per_leaf_;
}

Port LeafSpine::next_port(NodeId at, Rank to, Port) const {
  if (is_host(at)) return Port(0);
  const std::size_t position = to.index() % hosts_per_leaf_;
  if (goes_up(at, to)) return Port(hosts_per_leaf_ + position % spines_);
  const bool spine = at.index() - hosts() >= leaves_;
  return Port(spine ? to.index() / hosts_per_leaf_ : position);
}

Port LeafSpine::next_port_of_flow(NodeId at, Rank from, Rank to, Port to_port) const {
  if (!options_.ecmp || !goes_up(at, to)) return next_port(at, to, to_port);
  return Port(hosts_per_leaf_ + ecmp_choice(*options_.ecmp, at, {from, to, to_port}, spines_));
}

Port LeafSpine::arrival_port(Rank, Rank) const {
  return Port(0);
}

}  // namespace gradwire::topologies
