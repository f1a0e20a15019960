#include "harness/emulate/host_variables.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "testbed/emulation.h"

namespace gradwire::emulate {
namespace {

using Variables = std::vector<std::string>;

const std::vector<topologies::PortAddress>& ports_of(const Layout& layout, Rank host) {
  return layout.addresses.nodes.at(layout.wiring.host(host).index()).ports;
}

/// The interfaces of a host: "p0,p1".
std::string interfaces_of(const Layout& layout, Rank host) {
  Variables names;
  for (std::size_t i = 0; i < ports_of(layout, host).size(); ++i) {
    names.push_back(testbed::Emulation::interface_of(Port(i)));
  }
  return fmt::format("{}", fmt::join(names, ","));
}

std::string addresses_of(const Layout& layout, Rank host) {
  Variables all;
  for (const auto& port : ports_of(layout, host)) all.push_back(to_string(port.address));
  return fmt::format("{}", fmt::join(all, ","));
}

/// Adds the variables that torchrun sets, for one process on each host.
void add_ranks(const Layout& layout, Rank host, Variables& all) {
  const auto& running = layout.running;
  const auto place = std::ranges::find(running, host);
  if (place != running.end()) all.push_back(fmt::format("RANK={}", place - running.begin()));
  all.push_back(fmt::format("WORLD_SIZE={}", running.size()));
  all.emplace_back("LOCAL_RANK=0");
  all.emplace_back("LOCAL_WORLD_SIZE=1");
  all.push_back("MASTER_ADDR=" + to_string(ports_of(layout, running.front()).front().address));
  all.push_back(fmt::format("MASTER_PORT={}", layout.port));
}

/// Adds variables of Open MPI 4, by which mpirun reaches other hosts. All hosts share the machine's
/// processors, so ranks must not all be bound to the first of them, nor keep one busy while they
/// wait.
void add_mpirun(const Layout& layout, const std::string& interfaces, Variables& all) {
  all.push_back("OMPI_MCA_plm_rsh_agent=" + layout.remote_shell);
  all.emplace_back("OMPI_MCA_plm_rsh_no_tree_spawn=1");
  all.push_back("OMPI_MCA_oob_tcp_if_include=" + interfaces);
  all.push_back("OMPI_MCA_btl_tcp_if_include=" + interfaces);
  all.emplace_back("OMPI_MCA_hwloc_base_binding_policy=none");
  all.emplace_back("OMPI_MCA_mpi_yield_when_idle=1");
  all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT=1");  // of the emulation, not of the machine
  all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
}

}  // namespace

std::string name_of(Rank host) {
  return fmt::format("h{}", host.index());
}

Variables variables_of(const Layout& layout, Rank host) {
  ensure(!layout.running.empty(), "a host runs the command");
  const std::string interfaces = interfaces_of(layout, host);
  Variables names;
  for (std::size_t i = 0; i < layout.wiring.hosts(); ++i) names.push_back(name_of(Rank(i)));
  Variables all;
  add_ranks(layout, host, all);
  all.push_back("GLOO_SOCKET_IFNAME=" + testbed::Emulation::interface_of(Port(std::size_t{0})));
  all.push_back("NCCL_SOCKET_IFNAME==" + interfaces);  // its own "=": exactly these names
  add_mpirun(layout, interfaces, all);
  all.push_back("GRADWIRE_WIRING=" + layout.wiring.name());
  all.push_back(fmt::format("GRADWIRE_HOST={}", host.index()));
  all.push_back(fmt::format("GRADWIRE_HOSTS={}", fmt::join(names, ",")));
  all.push_back("GRADWIRE_PORTS=" + interfaces);
  all.push_back("GRADWIRE_ADDRESSES=" + addresses_of(layout, host));
  all.push_back("GRADWIRE_RSH=" + layout.remote_shell);
  return all;
}

std::string host_names(const Layout& layout) {
  std::string text = "127.0.0.1\tlocalhost\n";
  for (std::size_t i = 0; i < layout.wiring.hosts(); ++i) {
    const std::string name = name_of(Rank(i));
    std::size_t port = 0;
    for (const topologies::PortAddress& each : ports_of(layout, Rank(i))) {
      const std::string own = port == 0 ? name + " " : "";
      text += fmt::format("{}\t{}{}-{}\n", to_string(each.address), own, name,
                          testbed::Emulation::interface_of(Port(port)));
      ++port;
    }
  }
  return text;
}

}  // namespace gradwire::emulate
