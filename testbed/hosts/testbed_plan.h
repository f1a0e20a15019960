#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbed/hosts/host_list.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

/// A wiring laid over the servers that an operator has: which interface of which host goes to which
/// switch, what it is called, and what addresses and routes it gets. Pure.
namespace gradwire::hosts {

/// A port that is one switch away.
struct TestbedNeighbour {
  std::string host;
  Port port;
  topologies::Ipv4 address;
};

/// What the RDMA device of an interface, or of a pattern of interfaces, is called.
[[nodiscard]] std::string rdma_name(const std::string& device);

struct TestbedPort {
  Nic nic;
  std::string device;  ///< what its interface is called once it is set up
  std::string rdma;    ///< its RDMA device
  topologies::PortAddress address;
  std::string switch_name;
  Port switch_port;
  std::vector<TestbedNeighbour> neighbours;  ///< by the ports of the switch
};

/// To other subnets. The gateway is one switch away.
struct TestbedRoute {
  topologies::Prefix to;
  topologies::Ipv4 gateway;
  Port via;
  bool on_link = false;  ///< no subnet of the port covers the gateway
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
  bool relays = false;               ///< hosts pass on what is for others
  /// "bc{level}" where every host calls its ports so; nothing when some keep a name of their own.
  std::optional<std::string> device_pattern;
};

/// Throws InputError for a wiring that only paper has.
[[nodiscard]] std::shared_ptr<const topologies::Topology> require_cabling(
    std::unique_ptr<const topologies::Topology> topology);

/// `hosts` are load_host_list's of the same wiring. `control` is what the user says of it; when
/// empty it is as control_network finds it. Throws
/// InputError, with a place where the hosts have one, when names or addresses of the control
/// network and of the wiring cannot be told apart, and when there is no telling what the control
/// network is.
[[nodiscard]] TestbedPlan plan_testbed(std::shared_ptr<const topologies::Topology> topology,
                                       std::vector<ListedHost> hosts,
                                       const std::vector<std::string>& control);

}  // namespace gradwire::hosts
