#pragma once

#include <span>
#include <string>
#include <vector>

#include "testbed/hosts/host_list.h"
#include "topologies/address_plan.h"

namespace gradwire::hosts {

/// Finds the interfaces or subnets over which the hosts are reached. They are those that `asked`
/// names; without any, the subnet with the addresses of all hosts, a /24 or larger. mpirun's own
/// machine must be in it, too, and may call its interface otherwise. Where addresses are names,
/// they are the hosts' control devices.
///
/// `data` are the wiring's own subnets. Throws InputError when the control network is, or a host's
/// address lies, within one of them, and when the control network cannot be told.
[[nodiscard]] std::vector<std::string> control_network(std::span<const ListedHost> hosts,
                                                       const std::vector<std::string>& asked,
                                                       std::span<const topologies::Prefix> data);

}  // namespace gradwire::hosts
