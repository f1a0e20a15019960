#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "testbed/machine_room.h"
#include "testbed/netlink.h"
#include "transport/execution/settings.h"
#include "transport/port_binding.h"

/// Facts that a worker finds where it runs: what must be the same, or as expected, on all hosts.
namespace gradwire::workers {

/// Program, libraries, kernel, limits, the variables that steer the libraries, and each port: as
/// results/schema/hosts.schema.json has them. The RDMA devices of ports, too, where the transport needs
/// them, and with `gpu` the GPU, and how the transport gets at gradients there. Never throws for what
/// is missing or odd: it says so.
[[nodiscard]] nlohmann::json examine_surroundings(std::span<const transport::PortBinding> ports,
                                                  execution::TransportKind transport, bool gpu);

/// JSON in which workers tell of their machine's room; what is unlimited is null.
[[nodiscard]] nlohmann::json to_json(const testbed::MachineRoom& room);
/// Throws nlohmann::json::exception for what to_json did not make.
[[nodiscard]] testbed::MachineRoom machine_room_from_json(const nlohmann::json& json);

/// Version and commit of this program, as the ranks say theirs.
[[nodiscard]] std::string build_name();

/// Bytes that the ports have carried so far, those of their RDMA devices included where the device
/// counts them apart. Throws SystemError for a port that is not there.
[[nodiscard]] std::vector<testbed::LinkCounters> count_ports(
    std::span<const transport::PortBinding> ports);

}  // namespace gradwire::workers
