#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/name_table.h"
#include "topologies/digits.h"

/// A wiring: which ports are cabled to which, the way between two hosts, and how the wiring is
/// built. Algorithms, address plans and operators ask it. It knows nothing of money (cost.h), bytes
/// or time. registry.h builds wirings by their names.
namespace gradwire::topologies {

/// One end of a cable.
struct Attachment {
  NodeId node;
  Port port;
  friend constexpr auto operator<=>(const Attachment&, const Attachment&) = default;
};

/// A full-duplex cable. If one end is a host, it is `a`; between switches `a` is the lower one.
/// Between two hosts `a` is the one that the wiring names first (on a torus the one whose + side it
/// is).
struct Link {
  Attachment a;
  Attachment b;
  double speed = 1;  ///< multiple of the experiment's link rate
};

/// One direction of a cable.
struct Hop {
  LinkId link;
  bool from_a = true;  ///< a -> b
  friend constexpr auto operator<=>(const Hop&, const Hop&) = default;
};

/// The forwarding of a wiring's switches.
enum class SwitchKind : std::uint8_t {
  bridge,  ///< one Ethernet segment: its hosts share a subnet
  router,  ///< forwards by destination address (the switches of a Fat-Tree)
};
inline constexpr NameTable<SwitchKind, 2> kSwitchKinds({{"bridge", SwitchKind::bridge},
                                                        {"router", SwitchKind::router}});

/// The scheme of address_plan.h that fits a wiring.
enum class Addressing : std::uint8_t {
  none,            ///< no scheme does: the wiring can only be simulated
  switch_subnets,  ///< one subnet for the hosts at each switch
  pods,            ///< scheme of the Fat-Tree paper: 10.<pod>.<switch>.<id>
};

/// Switches side by side: one level of a BCube, one layer of a Fat-Tree.
struct Tier {
  std::string name;              ///< "level 0", "edge"
  std::size_t first_switch = 0;  ///< switch_node(first_switch) is the first of them
  std::size_t switches = 0;
};

/// The number of the tier, counted from 0, that switch `number` (0..switches-1) is in.
[[nodiscard]] std::size_t tier_of(std::span<const Tier> tiers, std::size_t number);

/// The place of a switch. No two switches of a wiring have the same place.
struct SwitchPlace {
  std::size_t tier = 0;  ///< index into Topology::tiers()
  /// Number in the tier; always 0 if the wiring does not group its switches.
  std::size_t group = 0;
  std::size_t index = 0;  ///< number in the group
  friend constexpr auto operator<=>(const SwitchPlace&, const SwitchPlace&) = default;
};

/// The place of a host in a ring through all hosts.
struct RingPlace {
  std::size_t index = 0;  ///< 0..hosts()-1
  Rank left;              ///< the host before it
  Rank right;             ///< the host after it
};

/// A wiring: hosts with ports, switches with ports, and cables. Immutable after construction.
class Topology {
 public:
  virtual ~Topology() = default;

  /// The wiring's name in experiments: "bcube(3,2)".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The number of hosts: nodes 0..hosts()-1. Host i runs rank i.
  [[nodiscard]] std::size_t hosts() const { return hosts_; }
  /// The number of switches: nodes hosts()..hosts()+switches()-1.
  [[nodiscard]] std::size_t switches() const { return switches_; }
  /// The number of NICs per host: k.
  [[nodiscard]] std::size_t ports_per_host() const { return ports_per_host_; }
  /// The number of ports of the largest switch; 0 without switches.
  [[nodiscard]] std::size_t ports_per_switch() const { return ports_per_switch_; }
  /// The number of ports of this host or switch. In a finished wiring every port has a cable.
  [[nodiscard]] std::size_t ports_of(NodeId node) const;
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] bool is_host(NodeId node) const { return node.index() < hosts_; }
  [[nodiscard]] NodeId host(Rank rank) const { return NodeId(rank.index()); }
  [[nodiscard]] NodeId switch_node(std::size_t number) const { return NodeId(hosts_ + number); }

  /// The cable at a node's port. Throws InternalError when nothing is attached.
  [[nodiscard]] LinkId link_at(Attachment attachment) const;
  /// The speed of the cable at a node's port, in multiples of the experiment's link rate.
  [[nodiscard]] double speed_at(Attachment attachment) const;
  /// Whether every cable has speed 1.
  [[nodiscard]] bool uniform_speed() const;
  /// The other end of a cable.
  [[nodiscard]] Attachment opposite(Attachment attachment) const;
  /// The end of its cable that a hop leaves from.
  [[nodiscard]] Attachment departure(Hop hop) const;
  /// The end of its cable at which a hop arrives.
  [[nodiscard]] Attachment arrival(Hop hop) const;

  // Routes.

  /// The port through which `at` forwards bytes for host `to`, reached at its port `to_port`. It
  /// depends on the destination alone, so hop by hop it is the route of an IP network; a bridge's
  /// port is the one to the host that the sender on its segment chose as the next. Requires at !=
  /// to.
  [[nodiscard]] virtual Port next_port(NodeId at, Rank to, Port to_port) const = 0;
  /// The port through which `at` forwards bytes that `from` sends to `to`: their actual route.
  /// Differs from next_port only where routes_by_destination() is false; next_port then still gives
  /// a way to `to`.
  [[nodiscard]] virtual Port next_port_of_flow(NodeId at, Rank from, Rank to, Port to_port) const;
  /// Whether every node forwards by destination alone. False if nodes also look at the sender, as
  /// with ECMP.
  [[nodiscard]] virtual bool routes_by_destination() const { return true; }

  /// The port of `to` at which traffic from `from` arrives on the wiring's own route.
  [[nodiscard]] virtual Port arrival_port(Rank from, Rank to) const = 0;

  /// The wiring's route, hop by hop: every directed link that bytes from `from` to `to` cross.
  /// Requires from != to.
  [[nodiscard]] std::vector<Hop> route(Rank from, Rank to) const;
  /// The route, hop by hop, of bytes that are addressed to port `to_port` of `to`. On a BCube where
  /// `from` and `to` agree in the digit of `to_port` they reach `to` through another of its ports.
  [[nodiscard]] std::vector<Hop> route(Rank from, Rank to, Port to_port) const;

  // How the wiring is built, for algorithms.

  /// The symmetry of a wiring that looks the same from every host: the radices, least significant
  /// first, of the digits of the ranks. Adding a constant to every digit (mod its radix) maps
  /// cables to cables, port i of a host to port i of its image, and routes to routes. Nothing where
  /// no such symmetry is known.
  [[nodiscard]] virtual std::optional<std::vector<std::size_t>> translation() const {
    return std::nullopt;
  }
  /// The k digits to the base n of the ranks, on BCube(n,k): port l of a host leads to the switch
  /// that joins it with the n-1 hosts that differ from it in digit l only. Nothing on any other
  /// wiring. Algorithms that run on a BCube alone call require_bcube (bcube.h).
  [[nodiscard]] virtual std::optional<Digits> bcube_digits() const { return std::nullopt; }
  /// The sizes of the groups of a hierarchical algorithm, lowest level first: hosts form groups,
  /// which form groups of groups, and so on. The product is hosts(), and the hosts of a group are
  /// consecutive ranks. Empty if the wiring does not say.
  [[nodiscard]] virtual std::vector<std::size_t> group_sizes() const { return {}; }
  /// The place of `rank` in ring `ring` of ports_per_host() rings, each through all hosts.
  /// Neighbours share a switch where the wiring allows it, and every ring is meant to have cables
  /// of its own. By default all rings are 0..N-1.
  [[nodiscard]] virtual RingPlace ring_place(Rank rank, std::size_t ring) const;
  /// The port of `to`, the neighbour to the right of `from` in ring `ring`, at which that ring's
  /// bytes arrive. By default port `ring`.
  [[nodiscard]] virtual Port ring_port(Rank from, Rank to, std::size_t ring) const;

  // Names and places, for people and address plans.

  /// The wiring's name for people: name(), unless it has a title of its own.
  [[nodiscard]] virtual std::string title() const { return name_; }
  /// The node's name for people: "0,2" for a BCube host (digits v_{k-1}..v_0), "pod 1 edge 0" for a
  /// Fat-Tree switch.
  [[nodiscard]] virtual std::string label(NodeId node) const = 0;
  [[nodiscard]] virtual SwitchKind switch_kind() const = 0;
  /// The tiers, which hold every switch once, in switch order, the tier next to the hosts first.
  /// Empty without switches.
  [[nodiscard]] virtual std::vector<Tier> tiers() const = 0;
  /// The place of a switch. By default all switches of a tier are group 0. Requires a switch.
  [[nodiscard]] virtual SwitchPlace switch_place(NodeId node) const;
  /// The word that an operator writes on the switch, which is also a valid host name and which no
  /// other switch of the wiring has. "S3" by default. Requires a switch.
  [[nodiscard]] virtual std::string switch_word(NodeId node) const;
  /// The prefix of the names of a host's interfaces, before the port's number.
  [[nodiscard]] virtual std::string_view port_word() const { return "data"; }
  /// The scheme by which ports get addresses (address_plan.h).
  [[nodiscard]] virtual Addressing addressing() const { return Addressing::none; }

 protected:
  Topology(std::string name, std::size_t hosts, std::size_t ports_per_host, std::size_t switches,
           std::size_t ports_per_switch);
  /// A wiring whose switch i has ports_of_switches[i] ports, without cables.
  Topology(std::string name, std::size_t hosts, std::size_t ports_per_host,
           const std::vector<std::size_t>& ports_of_switches);
  /// Adds a cable. Throws InternalError when an end is taken or out of range, when only `b` is a
  /// host, or when the speed is not positive.
  void connect(Attachment a, Attachment b, double speed = 1);
  /// The port ((to - from) mod hosts) mod ports_per_host, which spreads traffic evenly: when all
  /// send to all, every port of every host gets an equal part of the sent and of the received
  /// bytes. Requires from != to.
  [[nodiscard]] Port spread_port(Rank from, Rank to) const;
  /// The number of a switch, 0..switches()-1. Throws InternalError for a host.
  [[nodiscard]] std::size_t switch_number(NodeId node) const;

 private:
  [[nodiscard]] std::size_t slot(Attachment attachment) const;

  std::string name_;
  std::size_t hosts_;
  std::size_t ports_per_host_;
  std::size_t switches_;
  std::size_t ports_per_switch_;
  std::vector<Link> links_;
  std::vector<std::size_t> first_slot_;      ///< per switch, and one past the last
  std::vector<std::uint32_t> link_of_slot_;  ///< per (node, port): link + 1, or 0
};

}  // namespace gradwire::topologies
