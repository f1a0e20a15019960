#include "topologies/fat_tree.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

constexpr NameTable<FatTree::Layer, 3> kLayers({{"edge", FatTree::Layer::edge},
                                                {"aggregation", FatTree::Layer::aggregation},
                                                {"core", FatTree::Layer::core}});

std::string name_of(std::size_t p, const FatTree::Options& options) {
  const std::string nics = options.nics == 1 ? "" : fmt::format(",nics={}", options.nics);
  return fmt::format("fat-tree({}{}{})", p, nics, ecmp_suffix(options.ecmp));
}

/// The number of hosts p^3/4, once p is checked. Call it before anything is allocated.
std::size_t checked_hosts(std::size_t p, const FatTree::Options& options) {
  if (p < 2 || p % 2 != 0) {
    throw InputError(fmt::format("fat-tree({}): p must be even and at least 2", p));
  }
  const std::size_t hosts = checked_product(fmt::format("fat-tree({})", p), "hosts, p^3/4,",
                                            kMaxHosts, {p, p / 2, p / 2});
  (void)checked_product(name_of(p, options), "cables", kMaxCables, {3, hosts, options.nics});
  return hosts;
}

}  // namespace

FatTree::FatTree(std::size_t p, const Options& options)
    : Topology(name_of(p, options), checked_hosts(p, options), options.nics,
               5 * (p / 2) * (p / 2) * options.nics, p),
      half_(p / 2),
      ecmp_(options.ecmp) {
  for (std::size_t plane = 0; plane < options.nics; ++plane) connect_plane(plane);
}

void FatTree::connect_plane(std::size_t plane) {
  for (std::size_t number = 0; number < hosts(); ++number) {
    const Seat at = seat(Rank(number));
    connect({NodeId(number), Port(plane)},
            {node_at({Layer::edge, at.pod, at.edge, plane}), Port(at.position)});
  }
  for (std::size_t pod = 0; pod < p(); ++pod) {
    for (std::size_t edge = 0; edge < half_; ++edge) {
      for (std::size_t up = 0; up < half_; ++up) {
        connect({node_at({Layer::edge, pod, edge, plane}), Port(half_ + up)},
                {node_at({Layer::aggregation, pod, up, plane}), Port(edge)});
      }
    }
  }
  for (std::size_t pod = 0; pod < p(); ++pod) {
    for (std::size_t aggregation = 0; aggregation < half_; ++aggregation) {
      for (std::size_t up = 0; up < half_; ++up) {
        connect({node_at({Layer::aggregation, pod, aggregation, plane}), Port(half_ + up)},
                {node_at({Layer::core, aggregation, up, plane}), Port(pod)});
      }
    }
  }
}

FatTree::Seat FatTree::seat(Rank rank) const {
  const std::size_t number = rank.index();
  return {number / (half_ * half_), number / half_ % half_, number % half_};
}

NodeId FatTree::node_at(Place place) const {
  const std::size_t layer = static_cast<std::size_t>(place.layer);
  const std::size_t in_plane = place.layer == Layer::core ? half_ * half_ : p() * half_;
  return switch_node(layer * ports_per_host() * p() * half_ + place.plane * in_plane +
                     place.group * half_ + place.index);
}

FatTree::Place FatTree::place(NodeId node) const {
  const std::size_t number = switch_number(node);
  const std::size_t per_layer = ports_per_host() * p() * half_;
  const auto layer = static_cast<Layer>(number / per_layer);
  const std::size_t in_plane = layer == Layer::core ? half_ * half_ : p() * half_;
  const std::size_t plane = number % per_layer / in_plane;
  const std::size_t rest = number % per_layer % in_plane;
  return {layer, rest / half_, rest % half_, plane};
}

std::string FatTree::label(NodeId node) const {
  if (is_host(node)) {
    const Seat at = seat(Rank(node.index()));
    return fmt::format("pod {} edge {} host {}", at.pod, at.edge, at.position);
  }
  const Place at = place(node);
  const std::string plane =
      ports_per_host() > 1 ? fmt::format("plane {} ", at.plane) : std::string();
  if (at.layer == Layer::core) {
    return fmt::format("{}core {}", plane, at.group * half_ + at.index);
  }
  return fmt::format("{}pod {} {} {}", plane, at.group, kLayers.name_of(at.layer), at.index);
}

std::vector<Tier> FatTree::tiers() const {
  const std::size_t per_layer = ports_per_host() * p() * half_;
  const auto name = [](Layer layer) { return std::string(kLayers.name_of(layer)); };
  return {{name(Layer::edge), 0, per_layer},
          {name(Layer::aggregation), per_layer, per_layer},
          {name(Layer::core), 2 * per_layer, ports_per_host() * half_ * half_}};
}

std::vector<std::size_t> FatTree::group_sizes() const {
  return {half_, half_, p()};
}

SwitchPlace FatTree::switch_place(NodeId node) const {
  const Place at = place(node);
  const std::size_t groups_per_plane = at.layer == Layer::core ? half_ : p();
  return {.tier = static_cast<std::size_t>(at.layer),
          .group = at.plane * groups_per_plane + at.group,
          .index = at.index};
}

std::string FatTree::switch_word(NodeId node) const {
  const Place at = place(node);
  const std::string plane = ports_per_host() > 1 ? fmt::format("N{}-", at.plane) : std::string();
  if (at.layer == Layer::core) return fmt::format("{}C{}", plane, at.group * half_ + at.index);
  return fmt::format("{}P{}-{}{}", plane, at.group, at.layer == Layer::edge ? 'E' : 'A', at.index);
}

std::optional<Port> FatTree::port_down(Place here, Rank to) const {
  const Seat goal = seat(to);
  if (here.layer == Layer::core) return Port(goal.pod);
  if (here.group != goal.pod) return std::nullopt;
  if (here.layer == Layer::aggregation) return Port(goal.edge);
  return here.index == goal.edge ? std::optional(Port(goal.position)) : std::nullopt;
}

Port FatTree::next_port(NodeId at, Rank to, Port to_port) const {
  if (is_host(at)) return to_port;
  const Place here = place(at);
  if (const auto down = port_down(here, to)) return *down;
  return Port(half_ + (seat(to).position + here.index) % half_);
}

Port FatTree::next_port_of_flow(NodeId at, Rank from, Rank to, Port to_port) const {
  if (!ecmp_ || is_host(at)) return next_port(at, to, to_port);
  if (const auto down = port_down(place(at), to)) return *down;
  return Port(half_ + ecmp_choice(*ecmp_, at, {from, to, to_port}, half_));
}

Port FatTree::arrival_port(Rank from, Rank to) const {
  return spread_port(from, to);
}

}  // namespace gradwire::topologies
