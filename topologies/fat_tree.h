#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// Fat-Tree(p) of three layers, p even: p^3/4 hosts with one port, 5p^2/4 switches with p ports.
///
///     core          0   1       2   3            (p/2)^2 switches, port = pod
///                    |/        |/
///     aggregation   0   1  ...                   p/2 in each of the p pods
///                   | X |                        ports 0..p/2-1 down, p/2..p-1 up
///     edge          0   1  ...                   p/2 in each pod, the same ports
///                  / |  | |
///     hosts       0  1  2  3                     p/2 at each edge switch
///
/// Aggregation switch a of every pod is wired to core switches a p/2 .. (a+1) p/2 - 1. Switches are
/// numbered edge, aggregation, core, in each layer pod by pod.
///
/// Routes: two-level routing of the paper, section 3.4. Downwards by the destination's pod and
/// edge; upwards by the destination's number h at its edge: switch z of its layer in the pod takes
/// uplink (h + z) mod p/2. Unit flows between all pairs then load no cable between switches more
/// than a host's cable: N - p/2 at the edge, N - p^2/4 at the core, against N - 1.
///
/// Al-Fares, Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture", SIGCOMM
/// 2008.
class FatTree final : public Topology {
 public:
  enum class Layer : std::uint8_t { edge, aggregation, core };

  /// Where a switch stands.
  struct Place {
    Layer layer;
    std::size_t group;  ///< its pod; of a core switch the aggregation switch it serves in each pod
    std::size_t index;  ///< 0..p/2-1 in the group
    friend constexpr auto operator<=>(const Place&, const Place&) = default;
  };

  /// Where a host stands.
  struct Seat {
    std::size_t pod;
    std::size_t edge;      ///< its edge switch in the pod
    std::size_t position;  ///< its port there
    friend constexpr auto operator<=>(const Seat&, const Seat&) = default;
  };

  /// Throws InputError unless p is even, at least 2, and p^3/4 <= kMaxHosts.
  explicit FatTree(std::size_t p);

  [[nodiscard]] std::size_t p() const { return ports_per_switch(); }
  [[nodiscard]] Seat seat(Rank rank) const;
  /// Requires a switch.
  [[nodiscard]] Place place(NodeId node) const;

  /// "pod 1 edge 0 host 1", "pod 1 edge 0", "pod 1 aggregation 0", "core 3".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;

 private:
  [[nodiscard]] NodeId node_at(Place place) const;

  std::size_t half_;  ///< p/2
};

}  // namespace gradwire::topologies
