#include "topologies/fat_tree.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/digits.h"

namespace gradwire::topologies {
namespace {

/// p^3/4, once p is known to be good: called before anything is allocated.
std::size_t checked_hosts(std::size_t p) {
  if (p < 2 || p % 2 != 0) {
    throw InputError(fmt::format("fat-tree({}): p must be even and at least 2", p));
  }
  const std::size_t factors[] = {p, p / 2, p / 2};
  const auto hosts = product_up_to(kMaxHosts, factors);
  if (!hosts) {
    throw InputError(fmt::format(
        "fat-tree({}): the number of hosts, p^3/4, is too large: at most {} are allowed", p,
        kMaxHosts));
  }
  return *hosts;
}

}  // namespace

FatTree::FatTree(std::size_t p)
    : Topology(fmt::format("fat-tree({})", p), checked_hosts(p), 1, 5 * (p / 2) * (p / 2), p),
      half_(p / 2) {
  for (std::size_t number = 0; number < hosts(); ++number) {
    const Seat at = seat(Rank(number));
    connect({NodeId(number), Port(0)},
            {node_at({Layer::edge, at.pod, at.edge}), Port(at.position)});
  }
  for (std::size_t pod = 0; pod < p; ++pod) {
    for (std::size_t edge = 0; edge < half_; ++edge) {
      for (std::size_t up = 0; up < half_; ++up) {
        connect({node_at({Layer::edge, pod, edge}), Port(half_ + up)},
                {node_at({Layer::aggregation, pod, up}), Port(edge)});
      }
    }
  }
  for (std::size_t pod = 0; pod < p; ++pod) {
    for (std::size_t aggregation = 0; aggregation < half_; ++aggregation) {
      for (std::size_t up = 0; up < half_; ++up) {
        connect({node_at({Layer::aggregation, pod, aggregation}), Port(half_ + up)},
                {node_at({Layer::core, aggregation, up}), Port(pod)});
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
  return switch_node(layer * p() * half_ + place.group * half_ + place.index);
}

FatTree::Place FatTree::place(NodeId node) const {
  ensure(!is_host(node), "a host has a seat, not a place");
  const std::size_t number = node.index() - hosts();
  const std::size_t per_layer = p() * half_;
  const std::size_t rest = number % per_layer;
  return {static_cast<Layer>(number / per_layer), rest / half_, rest % half_};
}

std::string FatTree::label(NodeId node) const {
  if (is_host(node)) {
    const Seat at = seat(Rank(node.index()));
    return fmt::format("pod {} edge {} host {}", at.pod, at.edge, at.position);
  }
  const Place at = place(node);
  if (at.layer == Layer::core) return fmt::format("core {}", at.group * half_ + at.index);
  return fmt::format("pod {} {} {}", at.group, at.layer == Layer::edge ? "edge" : "aggregation",
                     at.index);
}

std::vector<Tier> FatTree::tiers() const {
  const std::size_t per_layer = p() * half_;
  return {{"edge", 0, per_layer},
          {"aggregation", per_layer, per_layer},
          {"core", 2 * per_layer, half_ * half_}};
}

Port FatTree::next_port(NodeId at, Rank to, Port) const {
  if (is_host(at)) return Port(0);
  const Seat goal = seat(to);
  const Place here = place(at);
  if (here.layer == Layer::core) return Port(goal.pod);
  if (here.group == goal.pod) {
    if (here.layer == Layer::aggregation) return Port(goal.edge);
    if (here.index == goal.edge) return Port(goal.position);
  }
  return Port(half_ + (goal.position + here.index) % half_);
}

Port FatTree::arrival_port(Rank, Rank) const {
  return Port(0);
}

}  // namespace gradwire::topologies
