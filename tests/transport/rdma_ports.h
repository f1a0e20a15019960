#pragma once

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "transport/port_binding.h"

namespace gradwire::transport::testing {

/// The RDMA ports of this machine that tests may use, as the environment variable
/// GRADWIRE_RDMA_PORTS names them: "r0:p0:10.0.0.1 r1:p1:10.0.0.2", each an RDMA device, the
/// interface below it and its address. They are all on one switch. Empty without the variable.
inline std::vector<PortBinding> rdma_ports() {
  const char* const names = std::getenv("GRADWIRE_RDMA_PORTS");
  std::istringstream words(names == nullptr ? "" : names);
  std::vector<PortBinding> ports;
  for (std::string word; words >> word;) {
    std::istringstream parts(word);
    PortBinding port;
    std::getline(parts, port.rdma, ':');
    std::getline(parts, port.device, ':');
    std::getline(parts, port.address);
    ports.push_back(port);
  }
  return ports;
}

/// What a test over RDMA skips itself with when rdma_ports() is empty.
inline constexpr const char* kNoRdmaPorts =
    "GRADWIRE_RDMA_PORTS names no RDMA ports; make roce runs this with them";

/// The bindings of a rank, `count` ports that are all one of `ports`: each rank has its own, and
/// takes turns when there are fewer ports than ranks.
inline std::vector<PortBinding> rdma_ports_of(const std::vector<PortBinding>& ports,
                                              std::size_t rank, std::size_t count) {
  return std::vector<PortBinding>(count, ports[rank % ports.size()]);
}

}  // namespace gradwire::transport::testing
