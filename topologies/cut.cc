#include "topologies/cut.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gradwire::topologies {
namespace {

/// A tier is looked at switch by switch unless the sets below its switches have together more cable
/// ends than so many times the cables of the wiring.
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
  /// The smaller number stands for both, so that a group with a host is named after a host.
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
  explicit CutFinder(const Topology& topology)
      : topology_(topology), tiers_(topology.tiers()), tier_of_(nodes()) {
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

  /// Keeps the first of bounds that are equal up to rounding, so that the cut that is named does
  /// not hang on the last bit.
  template <class Describe>
  void offer(double t_f, const Describe& describe) {
    if (t_f > best_.t_f * (1 + 1e-12)) best_ = {t_f, describe()};
  }

  /// The tiers' bounds with every host a group of its own.
  void look_at_hosts() {
    std::vector<double> speeds(topology_.hosts());
    double all = 0;
    for (std::size_t host = 0; host < speeds.size(); ++host) {
      for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
        speeds[host] += topology_.speed_at({NodeId(host), Port(port)});
      }
      all += speeds[host];
    }
    offer(2 * static_cast<double>(speeds.size() - 1) / all, [] { return "each host's NICs"; });
    const auto slowest = std::ranges::min_element(speeds);
    offer(1 / *slowest, [&] {
      const auto host = static_cast<std::size_t>(slowest - speeds.begin());
      return fmt::format("the NICs of host {}", topology_.label(NodeId(host)));
    });
  }

  /// Joins the switches of one tier after the other to the groups: each by the cables that climb to
  /// it from lower tiers or hosts. Cables between equals join nothing. Before tier t+1 is joined,
  /// the groups are what hangs together when all cables above tier t are cut.
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

  /// Offers the bounds of the groups below tier `tier` (from 1). False when all hosts are in one
  /// group: they stay so in higher tiers.
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
    double all = 0;
    for (std::size_t host = 0; host < topology_.hosts(); ++host) {
      if (groups.of(host) != host) continue;
      found.push_back(host);
      all += leaving[host];
    }
    if (found.size() < 2) return false;
    const auto count = static_cast<double>(found.size());
    offer(2 * (count - 1) / all, [&] {
      return fmt::format("between the {} groups below tier {}", found.size(),
                         tiers_[tier - 1].name);
    });
    const std::size_t narrowest =
        *std::ranges::min_element(found, {}, [&](std::size_t group) { return leaving[group]; });
    offer(1 / leaving[narrowest], [&] { return below(groups, tier, narrowest); });
    return true;
  }

  /// A group by its first switch in the tier, or its first host.
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
    double leaving = 0;
    for (const std::size_t node : set) {
      for (std::size_t port = 0; port < topology_.ports_of(NodeId(node)); ++port) {
        const Attachment end{NodeId(node), Port(port)};
        if (stamps[topology_.opposite(end).node.index()] != top) leaving += topology_.speed_at(end);
      }
    }
    offer(1 / leaving, [&] { return fmt::format("below {}", topology_.label(NodeId(top))); });
  }

  const Topology& topology_;
  std::vector<Tier> tiers_;
  std::vector<std::size_t> tier_of_;  ///< 0 for hosts, 1 for the first tier
  CutBound best_;
};

}  // namespace

CutBound cut_bound(const Topology& topology) {
  return CutFinder(topology).find();
}

}  // namespace gradwire::topologies
