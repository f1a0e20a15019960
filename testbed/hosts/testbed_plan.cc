#include "testbed/hosts/testbed_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "testbed/hosts/control_network.h"

namespace gradwire::hosts {
namespace {

using topologies::AddressPlan;
using topologies::Attachment;
using topologies::PortAddress;
using topologies::Prefix;
using topologies::subnet_of;
using topologies::Topology;

/// Most hosts that inventory.schema.json allows.
constexpr std::size_t kMostHosts = 4096;

/// Planner that lays one wiring over its hosts.
class Planner {
 public:
  Planner(const Topology& topology, const AddressPlan& addresses,
          const std::vector<ListedHost>& hosts)
      : topology_(topology), addresses_(addresses), hosts_(hosts) {}

  [[nodiscard]] TestbedHost host(std::size_t rank) const {
    TestbedHost host{.listed = hosts_[rank], .ports = {}, .routes = routes(rank)};
    for (std::size_t i = 0; i < topology_.ports_per_host(); ++i) {
      host.ports.push_back(port({NodeId(rank), Port(i)}));
    }
    refuse_twins(host);
    return host;
  }

 private:
  [[nodiscard]] const PortAddress& address(Attachment here) const {
    return addresses_.nodes[here.node.index()].ports[here.port.index()];
  }

  [[nodiscard]] TestbedPort port(Attachment here) const {
    const Nic& nic = hosts_[here.node.index()].ports[here.port.index()];
    const std::string device =
        nic.key == NicKey::interface ? nic.value
                                     : fmt::format("{}{}", topology_.port_word(),
                                                   here.port.index());
    const Attachment there = topology_.opposite(here);
    return {.nic = nic,
            .device = device,
            .rdma = rdma_name(device),
            .address = address(here),
            .switch_name = topology_.switch_word(there.node),
            .switch_port = there.port,
            .neighbours = neighbours(here, there.node)};
  }

  [[nodiscard]] std::vector<TestbedNeighbour> neighbours(Attachment here, NodeId at) const {
    std::vector<TestbedNeighbour> neighbours;
    for (std::size_t i = 0; i < topology_.ports_of(at); ++i) {
      const Attachment other = topology_.opposite({at, Port(i)});
      if (!topology_.is_host(other.node) || other.node == here.node) continue;
      neighbours.push_back({hosts_[other.node.index()].name, other.port, address(other).address});
    }
    return neighbours;
  }

  [[nodiscard]] std::vector<TestbedRoute> routes(std::size_t rank) const {
    std::vector<TestbedRoute> routes;
    for (const topologies::StaticRoute& route : addresses_.nodes[rank].routes) {
      ensure(route.gateway.has_value(), "a host's own subnets are no routes");
      const PortAddress& own = address({NodeId(rank), route.via});
      const bool covered = subnet_of({*route.gateway, own.prefix_length}) == subnet_of(own);
      for (const Prefix& to : destinations(route.to)) {
        routes.push_back({to, *route.gateway, route.via, !covered});
      }
    }
    return routes;
  }

  /// The destinations of a route to `to`: just that, or for a default route the subnets of all
  /// hosts, because a server has a default route already, over its control network, and keeps it.
  [[nodiscard]] std::vector<Prefix> destinations(const Prefix& to) const {
    if (to.length > 0) return {to};
    return addresses_.host_subnets;
  }

  /// Refuses a host where an interface that keeps its name has one that another is given.
  static void refuse_twins(const TestbedHost& host) {
    std::set<std::string> devices;
    if (host.listed.control_device) devices.insert(*host.listed.control_device);
    for (const TestbedPort& port : host.ports) {
      if (devices.insert(port.device).second) continue;
      throw InputError(port.nic.place, fmt::format("{} would have two interfaces called {}",
                                                   host.listed.name, port.device));
    }
  }

  const Topology& topology_;
  const AddressPlan& addresses_;
  const std::vector<ListedHost>& hosts_;
};

bool all_are_renamed(const std::vector<ListedHost>& hosts) {
  return std::ranges::all_of(hosts, [](const ListedHost& host) {
    return std::ranges::none_of(host.ports,
                                [](const Nic& nic) { return nic.key == NicKey::interface; });
  });
}

void refuse_data_devices(const TestbedPlan& plan) {
  for (const TestbedHost& host : plan.hosts) {
    for (const TestbedPort& port : host.ports) {
      if (std::ranges::find(plan.control, port.device) == plan.control.end()) continue;
      throw InputError(
          port.nic.place,
          fmt::format("{} is a port of the wiring here, and the control network", port.device));
    }
  }
}

}  // namespace

std::string rdma_name(const std::string& device) {
  return "r" + device;
}

std::shared_ptr<const Topology> require_cabling(std::unique_ptr<const Topology> topology) {
  if (const std::string why = topologies::why_no_addresses(*topology); !why.empty()) {
    throw InputError(
        fmt::format("{} cannot be cabled: {}; bcube(n,k), fat-tree(p) and single-switch(n) can",
                    topology->name(), why));
  }
  if (topology->hosts() > kMostHosts) {
    throw InputError(fmt::format("{} has {} hosts; an inventory has at most {}", topology->name(),
                                 topology->hosts(), kMostHosts));
  }
  return topology;
}

TestbedPlan plan_testbed(std::shared_ptr<const Topology> topology, std::vector<ListedHost> hosts,
                         const std::vector<std::string>& control) {
  ensure(hosts.size() == topology->hosts(), "a list has the wiring's hosts");
  const AddressPlan addresses = topologies::plan_addresses(*topology);
  TestbedPlan plan{.topology = std::move(topology), .hosts = {}, .control = {}};
  plan.control = control_network(hosts, control, addresses.subnets);
  const Planner planner(*plan.topology, addresses, hosts);
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) plan.hosts.push_back(planner.host(rank));
  if (all_are_renamed(hosts)) {
    plan.device_pattern = fmt::format("{}{{level}}", plan.topology->port_word());
  }
  plan.relays = plan.topology->switch_kind() == topologies::SwitchKind::bridge &&
                !plan.hosts.front().routes.empty();
  refuse_data_devices(plan);
  return plan;
}

}  // namespace gradwire::hosts
