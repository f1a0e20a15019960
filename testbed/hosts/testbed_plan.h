#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbed/hosts/host_list.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

/// Plan of a testbed: a wiring laid over the servers that an operator has. It says which interface
/// of which host goes to which switch, what its name is, and what addresses and routes it gets.
/// Pure.
namespace gradwire::hosts {

/// Port that is one switch away.
struct TestbedNeighbour {
  std::string host;
  Port port;
  topologies::Ipv4 address;
};

/// The name of the RDMA device of an interface, or of a pattern of interfaces.
[[nodiscard]] std::string rdma_name(const std::string& device);

struct TestbedPort {
  Nic nic;
  std::string device;  ///< name of its interface once it is set up
  std::string rdma;    ///< its RDMA device
  topologies::PortAddress address;
  std::string switch_name;
  Port switch_port;
  std::vector<TestbedNeighbour> neighbours;  ///< by the ports of the switch
};

/// Route to another subnet, whose gateway is one switch away.
struct TestbedRoute {
  topologies::Prefix to;
  topologies::Ipv4 gateway;
  Port via;
  bool on_link = false;  ///< whether no subnet of the port covers the gateway
};

struct TestbedHost {
  ListedHost listed;
  std::vector<TestbedPort> ports;  ///< by Port
  std::vector<TestbedRoute> routes;
};

struct TestbedPlan {
  std::shared_ptr<const topologies::Topology> topology;
  std::vector<TestbedHost> hosts;    ///< by rank
  std::vector<std::string> control;  ///< interfaces or subnets where nothing is measured
  bool relays = false;               ///< whether hosts forward packets for others
  /// Pattern of interface names: "bc{level}" where every host names its ports so; nothing when some
  /// keep a name of their own.
  std::optional<std::string> device_pattern;
};

/// Throws InputError for a wiring that exists only on paper.
[[nodiscard]] std::shared_ptr<const topologies::Topology> require_cabling(
    std::unique_ptr<const topologies::Topology> topology);

/// Plans a testbed. `hosts` come from load_host_list() for the same wiring. `control` are the
/// user's interfaces or subnets for control; when empty, control_network() finds them. Throws
/// InputError, with a place where the hosts have one, when names or addresses of the control
/// network and of the wiring cannot be told apart, and when the control network cannot be told.
[[nodiscard]] TestbedPlan plan_testbed(std::shared_ptr<const topologies::Topology> topology,
                                       std::vector<ListedHost> hosts,
                                       const std::vector<std::string>& control);

}  // namespace gradwire::hosts
