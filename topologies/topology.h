#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"

/// A Topology knows what is cabled to what, and the way between two hosts. It knows nothing of
/// addresses (address_plan.h), money (cost.h), bytes or time.
namespace gradwire::topologies {

/// One end of a cable.
struct Attachment {
  NodeId node;
  Port port;
  friend constexpr auto operator<=>(const Attachment&, const Attachment&) = default;
};

/// A full-duplex cable. Where one end is a host, it is `a`; between switches `a` is the lower one.
struct Link {
  Attachment a;
  Attachment b;
};

/// One direction of a cable.
struct Hop {
  LinkId link;
  bool from_a = true;  ///< a -> b
  friend constexpr auto operator<=>(const Hop&, const Hop&) = default;
};

/// What a switch of the wiring does with a frame.
enum class SwitchKind : std::uint8_t {
  bridge,  ///< one Ethernet segment: its hosts share a subnet
  router,  ///< forwards by destination address (the switches of a Fat-Tree)
};

/// Switches that stand side by side: one level of a BCube, one layer of a Fat-Tree.
struct Tier {
  std::string name;              ///< "level 0", "edge"
  std::size_t first_switch = 0;  ///< switch_node(first_switch) is the first of them
  std::size_t switches = 0;
};

/// A wiring: hosts with ports, switches with ports, and cables. Immutable after construction.
class Topology {
 public:
  virtual ~Topology() = default;

  /// As experiments name it: "bcube(3,2)".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Hosts are nodes 0..hosts()-1; host i runs rank i.
  [[nodiscard]] std::size_t hosts() const { return hosts_; }
  [[nodiscard]] std::size_t switches() const { return switches_; }
  /// NICs per host: k.
  [[nodiscard]] std::size_t ports_per_host() const { return ports_per_host_; }
  [[nodiscard]] std::size_t ports_per_switch() const { return ports_per_switch_; }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] bool is_host(NodeId node) const { return node.index() < hosts_; }
  [[nodiscard]] NodeId host(Rank rank) const { return NodeId(rank.index()); }
  [[nodiscard]] NodeId switch_node(std::size_t number) const { return NodeId(hosts_ + number); }

  /// The cable at a node's port. Throws InternalError when nothing is attached.
  [[nodiscard]] LinkId link_at(Attachment attachment) const;
  /// The other end of a cable.
  [[nodiscard]] Attachment opposite(Attachment attachment) const;
  /// Where a hop leaves from, and where it arrives.
  [[nodiscard]] Attachment departure(Hop hop) const;
  [[nodiscard]] Attachment arrival(Hop hop) const;

  /// "0,2" for a BCube host (digits v_{k-1}..v_0), "pod 1 edge 0" for a Fat-Tree switch.
  [[nodiscard]] virtual std::string label(NodeId node) const = 0;
  [[nodiscard]] virtual SwitchKind switch_kind() const = 0;
  /// Every switch once, in switch order, the tier next to the hosts first.
  [[nodiscard]] virtual std::vector<Tier> tiers() const = 0;

  /// The port through which `at` passes on what is meant for host `to`, reached at its port
  /// `to_port`. Destination-based, so that hop by hop it is what an IP network does; a bridge's
  /// port is the one to the host that the sender on its segment chose as the next. Requires at !=
  /// to.
  [[nodiscard]] virtual Port next_port(NodeId at, Rank to, Port to_port) const = 0;

  /// The port of `to` at which traffic from `from` arrives when it takes the wiring's own route.
  [[nodiscard]] virtual Port arrival_port(Rank from, Rank to) const = 0;

  /// The wiring's route, hop by hop: every directed link that bytes from `from` to `to` cross.
  /// Requires from != to.
  [[nodiscard]] std::vector<Hop> route(Rank from, Rank to) const;
  /// The same for bytes addressed to port `to_port` of `to`. On a BCube where `from` and `to` agree
  /// in the digit of `to_port` they reach `to` through another of its ports.
  [[nodiscard]] std::vector<Hop> route(Rank from, Rank to, Port to_port) const;

 protected:
  Topology(std::string name, std::size_t hosts, std::size_t ports_per_host, std::size_t switches,
           std::size_t ports_per_switch);
  /// Adds a cable. Throws InternalError when an end is taken or out of range.
  void connect(Attachment a, Attachment b);

 private:
  [[nodiscard]] std::size_t slot(Attachment attachment) const;

  std::string name_;
  std::size_t hosts_;
  std::size_t ports_per_host_;
  std::size_t switches_;
  std::size_t ports_per_switch_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> link_of_slot_;  ///< per (node, port): link + 1, or 0
};

/// Builds a wiring from its name: "bcube(n,k)", "fat-tree(p)", "single-switch(n)"; spaces allowed.
/// Throws InputError, without a place, for an unknown kind, a parameter out of range, or more than
/// kMaxHosts hosts; sizes are computed in checked arithmetic before anything is allocated.
[[nodiscard]] std::unique_ptr<const Topology> make_topology(std::string_view name);

inline constexpr std::size_t kMaxHosts = 1'000'000;

}  // namespace gradwire::topologies
