#include "topologies/cut.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "topologies/demand.h"

namespace gradwire::topologies {
namespace {

/// The most cable ends, per cable of the wiring, that the sets below a tier's switches may have
/// together for the tier to be looked at switch by switch.
constexpr std::size_t kMostVisits = 16;

/// Sets of nodes that only ever merge: union-find, a set being named after one of its nodes.
class Groups {
 public:
  explicit Groups(std::size_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  [[nodiscard]] std::size_t of(std::size_t node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }
  /// Joins the two sets. The smaller number stands for both, so that a group with a host is named
  /// after a host.
  void merge(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

class CutFinder {
 public:
  CutFinder(const Topology& topology, const Demand& demand)
      : topology_(topology),
        demand_(demand),
        tiers_(topology.tiers()),
        tier_of_(nodes()),
        inside_(topology.hosts(), false) {
    for (std::size_t tier = 0; tier < tiers_.size(); ++tier) {
      const std::size_t first = topology.hosts() + tiers_[tier].first_switch;
      for (std::size_t i = 0; i < tiers_[tier].switches; ++i) tier_of_[first + i] = tier + 1;
    }
  }

  CutBound find() {
    look_at_hosts();
    look_at_tiers();
    look_at_switches();
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::size_t nodes() const { return topology_.hosts() + topology_.switches(); }

  /// Takes the bound if it is the largest. Among bounds that are equal up to rounding it keeps the
  /// first, so that the cut that is named does not depend on the last bit.
  template <class Describe>
  void offer(double t_f, const Describe& describe) {
    if (t_f > best_.t_f * (1 + 1e-12)) best_ = {t_f, describe()};
  }

  /// Offers the tiers' bounds with every host a group of its own.
  void look_at_hosts() {
    std::vector<double> speeds(topology_.hosts());
    double all = 0;
    for (std::size_t host = 0; host < speeds.size(); ++host) {
      for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
        speeds[host] += topology_.speed_at({NodeId(host), Port(port)});
      }
      all += speeds[host];
    }
    std::vector<std::size_t> each(speeds.size());
    std::iota(each.begin(), each.end(), std::size_t{0});
    offer(demand_.between(each) / all, [] { return "each host's NICs"; });
    const std::vector<double> needed = demand_.of_each(each);
    const std::size_t busiest = *std::ranges::max_element(
        each, {}, [&](std::size_t host) { return needed[host] / speeds[host]; });
    offer(needed[busiest] / speeds[busiest],
          [&] { return fmt::format("the NICs of host {}", topology_.label(NodeId(busiest))); });
  }

  /// Joins the switches of each tier in turn to the groups, by the cables that climb to them from
  /// lower tiers or hosts. Cables between equals join nothing. Before tier t+1 is joined, the
  /// groups are the pieces that remain when all cables above tier t are cut.
  void look_at_tiers() {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> climbing(tiers_.size() + 1);
    for (const Link& link : topology_.links()) {
      const std::size_t a = link.a.node.index();
      const std::size_t b = link.b.node.index();
      if (tier_of_[a] != tier_of_[b]) {
        climbing[std::max(tier_of_[a], tier_of_[b])].emplace_back(a, b);
      }
    }
    Groups groups(nodes());
    for (std::size_t tier = 1; tier <= tiers_.size(); ++tier) {
      for (const auto& [a, b] : climbing[tier]) groups.merge(a, b);
      if (!look_at_groups(groups, tier)) return;
    }
  }

  /// Offers the bounds of the groups below tier `tier` (from 1). Returns false if all hosts are in
  /// one group: they stay so in higher tiers.
  bool look_at_groups(Groups& groups, std::size_t tier) {
    std::vector<double> leaving(nodes());
    for (const Link& link : topology_.links()) {
      const std::size_t a = groups.of(link.a.node.index());
      const std::size_t b = groups.of(link.b.node.index());
      if (a == b) continue;
      leaving[a] += link.speed;
      leaving[b] += link.speed;
    }
    std::vector<std::size_t> found;
    std::vector<std::size_t> group_of;
    double all = 0;
    for (std::size_t host = 0; host < topology_.hosts(); ++host) {
      group_of.push_back(groups.of(host));
      if (group_of.back() != host) continue;
      found.push_back(host);
      all += leaving[host];
    }
    if (found.size() < 2) return false;
    offer(demand_.between(group_of) / all, [&] {
      return fmt::format("between the {} groups below tier {}", found.size(),
                         tiers_[tier - 1].name);
    });
    const std::vector<double> needed = demand_.of_each(group_of);
    const std::size_t busiest = *std::ranges::max_element(
        found, {}, [&](std::size_t group) { return needed[group] / leaving[group]; });
    offer(needed[busiest] / leaving[busiest], [&] { return below(groups, tier, busiest); });
    return true;
  }

  /// The group's name, after its first switch in the tier, or its first host.
  std::string below(Groups& groups, std::size_t tier, std::size_t group) const {
    const Tier& in = tiers_[tier - 1];
    for (std::size_t i = 0; i < in.switches; ++i) {
      const NodeId node = topology_.switch_node(in.first_switch + i);
      if (groups.of(node.index()) == group) {
        return fmt::format("the group below {}", topology_.label(node));
      }
    }
    return fmt::format("the group of host {}", topology_.label(NodeId(group)));
  }

  void look_at_switches() {
    // visits: the cable ends at a node and in the set below it, counting twice what is below two of
    // its switches. No fewer than look_below visits, and cheap to have: one pass.
    std::vector<std::size_t> visits(nodes());
    for (std::size_t host = 0; host < topology_.hosts(); ++host) {
      visits[host] = topology_.ports_per_host();
    }
    const std::size_t most = kMostVisits * topology_.links().size();
    std::vector<std::size_t> stamps(nodes(), nodes());
    for (const Tier& tier : tiers_) {
      std::size_t all = 0;
      const std::size_t first = topology_.hosts() + tier.first_switch;
      for (std::size_t node = first; node < first + tier.switches; ++node) {
        visits[node] = topology_.ports_of(NodeId(node));
        for_each_below(node, [&](std::size_t low) { visits[node] += visits[low]; });
        visits[node] = std::min(visits[node], most + 1);
        all = std::min(all + visits[node], most + 1);
      }
      if (all > most) continue;
      for (std::size_t node = first; node < first + tier.switches; ++node) {
        look_below(node, stamps);
      }
    }
  }

  template <class Visit>
  void for_each_below(std::size_t node, const Visit& visit) const {
    for (std::size_t port = 0; port < topology_.ports_of(NodeId(node)); ++port) {
      const std::size_t other = topology_.opposite({NodeId(node), Port(port)}).node.index();
      if (tier_of_[other] < tier_of_[node]) visit(other);
    }
  }

  /// Offers the bound of the set below switch `top`. stamps[node] is the last switch whose set the
  /// node was found in, so that nothing has to be cleared between switches.
  void look_below(std::size_t top, std::vector<std::size_t>& stamps) {
    std::vector<std::size_t> set{top};
    stamps[top] = top;
    std::size_t hosts = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (tier_of_[set[i]] == 0) {
        ++hosts;
        continue;
      }
      for_each_below(set[i], [&](std::size_t low) {
        if (std::exchange(stamps[low], top) != top) set.push_back(low);
      });
    }
    if (hosts == 0 || hosts == topology_.hosts()) return;
    const double needed = demanded_below(set);
    double leaving = 0;
    for (const std::size_t node : set) {
      for (std::size_t port = 0; port < topology_.ports_of(NodeId(node)); ++port) {
        const Attachment end{NodeId(node), Port(port)};
        if (stamps[topology_.opposite(end).node.index()] != top) leaving += topology_.speed_at(end);
      }
    }
    offer(needed / leaving, [&] { return fmt::format("below {}", topology_.label(NodeId(top))); });
  }

  [[nodiscard]] double demanded_below(const std::vector<std::size_t>& nodes) {
    mark_hosts(nodes, true);
    const double needed = demand_.of_set(inside_);
    mark_hosts(nodes, false);
    return needed;
  }

  void mark_hosts(const std::vector<std::size_t>& nodes, bool are_inside) {
    for (const std::size_t node : nodes) {
      if (node < inside_.size()) inside_[node] = are_inside;
    }
  }

  const Topology& topology_;
  const Demand& demand_;
  std::vector<Tier> tiers_;
  std::vector<std::size_t> tier_of_;  ///< 0 for hosts, 1 for the first tier
  std::vector<bool> inside_;          ///< by host; false between sets, so that none has to clear it
  CutBound best_;
};

/// The number of hosts that send on the shortest way from host `from` to each node.
std::vector<std::size_t> sends_to_each(const Topology& topology, std::size_t from) {
  const std::size_t nodes = topology.hosts() + topology.switches();
  std::vector<std::size_t> sends(nodes, nodes);
  sends[from] = 0;
  std::deque<std::size_t> next{from};
  while (!next.empty()) {
    const std::size_t node = next.front();
    next.pop_front();
    const bool is_host = node < topology.hosts();
    for (std::size_t port = 0; port < topology.ports_of(NodeId(node)); ++port) {
      const std::size_t other = topology.opposite({NodeId(node), Port(port)}).node.index();
      if (sends[node] + (is_host ? 1 : 0) >= sends[other]) continue;
      sends[other] = sends[node] + (is_host ? 1 : 0);
      if (is_host) {
        next.push_back(other);
      } else {
        next.push_front(other);
      }
    }
  }
  return sends;
}

/// The bound of hosts that relay: the NICs of all hosts together carry all sends, relayed ones too.
double relay_bound(const Topology& topology, const Demand& demand) {
  const auto moves = demand.moves();
  if (!moves) return 0;
  double speeds = 0;
  double sent = 0;
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
      speeds += topology.speed_at({NodeId(host), Port(port)});
    }
    if ((*moves)[host].empty()) continue;
    const std::vector<std::size_t> sends = sends_to_each(topology, host);
    for (const Demand::Move& move : (*moves)[host]) {
      sent += move.elements * static_cast<double>(sends[move.to]);
    }
  }
  return sent / speeds;
}

}  // namespace

CutBound cut_bound(const Topology& topology) {
  const Demand demand(topology.hosts());
  return CutFinder(topology, demand).find();
}

CutBound cut_bound(const Topology& topology, const Goal& goal) {
  const Demand demand(goal);
  CutBound bound = CutFinder(topology, demand).find();
  const double relayed = relay_bound(topology, demand);
  if (relayed > bound.t_f * (1 + 1e-12)) bound = {relayed, "what hosts relay for each other"};
  return bound;
}

}  // namespace gradwire::topologies
