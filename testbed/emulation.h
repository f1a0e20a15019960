#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"
#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "testbed/rdma_link.h"
#include "testbed/shape.h"
#include "testbed/tcp_counters.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

namespace gradwire::testbed {

/// Emulated wiring made of network namespaces and virtual cables:
///
///     host 3: namespace             fabric: one namespace for all bridges
///     ┌─────────────────┐           ┌──────────────────────────────┐
///     │ p0 10.100.1.1 ──┼── cable ──┼── c12 ── bridge s1 ── c13 ...│
///     │ p1 10.101.0.2 ──┼── cable ──┼── c14 ── bridge s3           │
///     └─────────────────┘           └──────────────────────────────┘
///
/// A Fat-Tree's switch is a namespace of its own that routes. Each end of a cable is shaped where
/// its bytes leave, unless its rate is unlimited. With a shape framed as RoCE each port of each
/// host gets a Soft-RoCE device, made inside its namespace. Must be made inside run_in_sandbox (for
/// RoCE one with machine_root, on a kernel with rxe_available()); several may exist beside each
/// other. It vanishes when this object is gone and no process is left in its hosts.
class Emulation {
 public:
  /// Builds the emulation; every interface is up and every route is set when this returns. Calls
  /// `between` after every few milliseconds of building; an exception of it ends that. Throws
  /// SystemError. The topology must outlive it.
  Emulation(
      const topologies::Topology& topology, const topologies::AddressPlan& addresses,
      const LinkShape& shape, const std::function<void()>& between = [] {});

  /// The network namespace of a host. Owned by the Emulation.
  [[nodiscard]] int namespace_of(Rank rank) const { return nodes_[rank.index()].space.fd(); }
  /// The interface of a host's port in its namespace: "p0".
  [[nodiscard]] static std::string interface_of(Port port);

  /// Adds a network that reaches every host beside the wiring, unshaped: the interface
  /// kManagementInterface of each, all on one subnet. It carries messages about the gradients, not
  /// the gradients themselves. May be called once. Throws SystemError.
  void connect_management();
  /// The address of a host on the management network.
  [[nodiscard]] static topologies::PortAddress management_address(Rank rank);
  static constexpr const char* kManagementInterface = "m0";

  /// The RDMA device of a host's port: "r3p1", or "r3p1-1" where another emulation has that name.
  /// Requires a shape framed as RoCE.
  [[nodiscard]] const std::string& rdma_device_of(Rank rank, Port port) const;

  /// Counters of a host's ports so far, by port.
  [[nodiscard]] std::vector<LinkCounters> counters(Rank rank);
  /// Packets of a host's ports that were dropped so far, by port: by the port itself, and by the
  /// shapers at both ends of its cable.
  [[nodiscard]] std::vector<std::uint64_t> dropped_at_ports(Rank rank);
  /// Packets that all shapers have dropped so far.
  [[nodiscard]] std::uint64_t dropped_packets();
  /// TCP's counters of a host so far. Throws SystemError.
  [[nodiscard]] TcpCounters tcp_counters(Rank rank) const;
  /// Interface of a switch.
  struct SwitchInterface {
    std::string name;
    NodeId node;               ///< the switch
    std::optional<Port> port;  ///< port whose cable ends here; absent: the bridge itself
  };
  /// Interfaces of the switches that share a namespace.
  struct SwitchSpace {
    int namespace_fd = -1;  ///< owned by the Emulation
    std::vector<SwitchInterface> interfaces;
  };
  /// All interfaces of all switches, by namespace.
  [[nodiscard]] std::vector<SwitchSpace> switch_spaces() const;

  /// Differences from what was built, a sentence each: ends of cables that are down, detached from
  /// their bridge, of another MTU or of another rate. For a switch's end, the sentence also names
  /// the peer. Asks every namespace. Throws SystemError.
  [[nodiscard]] std::vector<std::string> differences() const;

  /// Pulls or plugs a host's cable, at the host's end.
  void set_link(Rank rank, Port port, bool up);

 private:
  /// Host, router, or the namespace of all bridges.
  struct Node {
    NetNamespace space;
    Netlink netlink;
  };

  [[nodiscard]] Node make_node(bool link_local) const;
  [[nodiscard]] bool on_bridge(NodeId node) const;
  /// The index in nodes_ of the namespace that holds a node of the topology.
  [[nodiscard]] std::size_t place_of(NodeId node) const;
  [[nodiscard]] std::string interface_at(const topologies::Attachment& attachment) const;
  /// The bridge of a switch: "s2".
  [[nodiscard]] std::string bridge_of(NodeId node) const;
  /// Ends of cables, by the index in nodes_ of their namespace.
  [[nodiscard]] std::vector<std::vector<topologies::Attachment>> ends_by_place() const;
  /// Makes the bridges, one per switch, in the last namespace.
  void make_bridges();
  void make_cables(const std::function<void()>& between);
  /// Shapes the traffic that leaves an end of a cable.
  void shape(const topologies::Attachment& attachment);
  void configure(NodeId node, const topologies::NodeAddresses& addresses);
  void make_rdma_devices();
  /// Keeps packets in order at every end of every cable.
  void keep_in_order();

  const topologies::Topology& topology_;
  LinkShape shape_;
  std::vector<Node> nodes_;     ///< by NodeId; all bridges share the one behind the hosts
  std::vector<RdmaLink> rdma_;  ///< rank * ports_per_host + port; empty without RDMA
};

}  // namespace gradwire::testbed
