#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/ecmp.h"
#include "topologies/topology.h"

namespace gradwire::topologies {

/// Fat-Tree(p) of three layers, p even: p^3/4 hosts with one port, 5p^2/4 switches with p ports.
/// With `nics` ports per host there are as many planes: whole Fat-Trees that share the hosts alone.
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
/// numbered edge, aggregation, core, in each layer plane by plane and pod by pod. Host port i is on
/// plane i.
///
/// Routes: two-level routing of the paper, section 3.4. Downwards by the destination's pod and
/// edge; upwards by the destination's number h at its edge: switch z of its layer in the pod takes
/// uplink (h + z) mod p/2. Unit flows between all pairs then load no cable between switches more
/// than a host's cable: N - p/2 at the edge, N - p^2/4 at the core, against N - 1. With `ecmp` a
/// switch chooses the uplink by a hash of the flow instead (ecmp.h). Bytes addressed to port i
/// travel on plane i; those that name no port take spread_port.
///
/// Al-Fares, Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture", SIGCOMM
/// 2008.
class FatTree final : public Topology {
 public:
  enum class Layer : std::uint8_t { edge, aggregation, core };

  /// The place of a switch.
  struct Place {
    Layer layer;
    std::size_t group;  ///< its pod; for a core switch the aggregation switch it serves in each pod
    std::size_t index;  ///< 0..p/2-1 in the group
    std::size_t plane = 0;
    friend constexpr auto operator<=>(const Place&, const Place&) = default;
  };

  /// The place of a host.
  struct Seat {
    std::size_t pod;
    std::size_t edge;      ///< its edge switch in the pod
    std::size_t position;  ///< its port there
    friend constexpr auto operator<=>(const Seat&, const Seat&) = default;
  };

  struct Options {
    std::size_t nics = 1;  ///< ports per host, and planes
    std::optional<Ecmp> ecmp = std::nullopt;
  };

  /// Builds Fat-Tree(p). Throws InputError unless p is even, at least 2, p^3/4 <= kMaxHosts, and
  /// the planes have at most kMaxCables cables.
  FatTree(std::size_t p, const Options& options);
  explicit FatTree(std::size_t p) : FatTree(p, Options{}) {}

  [[nodiscard]] std::size_t p() const { return 2 * half_; }
  /// Whether it is the paper's Fat-Tree: one plane, routes by destination.
  [[nodiscard]] bool is_plain() const { return ports_per_host() == 1 && !ecmp_; }
  /// The place of a host.
  [[nodiscard]] Seat seat(Rank rank) const;
  /// The place of a switch. Requires a switch.
  [[nodiscard]] Place place(NodeId node) const;

  /// The node's place in words: "pod 1 edge 0 host 1", "pod 1 edge 0", "pod 1 aggregation 0", "core
  /// 3"; with several planes "plane 1 core 3".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port next_port_of_flow(NodeId at, Rank from, Rank to, Port to_port) const override;
  [[nodiscard]] bool routes_by_destination() const override { return !ecmp_; }
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  /// The sizes {p/2, p/2, p}: hosts at an edge switch, edge switches of a pod, pods.
  [[nodiscard]] std::vector<std::size_t> group_sizes() const override;
  /// The place of a switch: its tier is the layer, its group the Place::group, counted on from
  /// plane to plane.
  [[nodiscard]] SwitchPlace switch_place(NodeId node) const override;
  /// The switch in one word: "P2-E0" and "P2-A1" are edge and aggregation switches of pod 2, "C3"
  /// is a core switch; with several planes "N1-C3" is in plane 1.
  [[nodiscard]] std::string switch_word(NodeId node) const override;
  /// The addressing scheme of the paper; none for a tree with planes or ECMP.
  [[nodiscard]] Addressing addressing() const override {
    return is_plain() ? Addressing::pods : Addressing::none;
  }

 private:
  void connect_plane(std::size_t plane);
  [[nodiscard]] NodeId node_at(Place place) const;
  /// The port of a switch towards `to`, if it is below the switch.
  [[nodiscard]] std::optional<Port> port_down(Place here, Rank to) const;

  std::size_t half_;  ///< p/2
  std::optional<Ecmp> ecmp_;
};

}  // namespace gradwire::topologies
