#pragma once

#include <string>
#include <vector>

#include "library/settings.h"
#include "topologies/topology.h"
#include "transport/authentication.h"
#include "transport/port_binding.h"
#include "transport/tcp/socket.h"

/// Settings completed by what a rank finds on its host.
namespace gradwire::library {

/// The address of the store. Asks the system's resolver for the host's first IPv4 address. Throws
/// InputError when it has none.
[[nodiscard]] transport::tcp::Listening store_of(const Settings& settings);

/// The ports that the settings name; missing addresses are those of the interfaces. Where they name
/// no ports, a wiring of one port per host uses the way to the store, whose end here is
/// `own_address`. Throws InputError when the ports do not fit the wiring or this host, and where a
/// transport needs settings that are missing.
[[nodiscard]] std::vector<transport::PortBinding> ports_of(const Settings& settings,
                                                           const topologies::Topology& wiring,
                                                           const std::string& own_address);

/// The key that proves the secret. Equal texts give equal keys; a key does not reveal its text.
[[nodiscard]] transport::RunKey key_of(const std::string& secret);

}  // namespace gradwire::library
