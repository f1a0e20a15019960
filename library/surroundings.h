#pragma once

#include <string>
#include <vector>

#include "library/settings.h"
#include "topologies/topology.h"
#include "transport/authentication.h"
#include "transport/port_binding.h"
#include "transport/tcp/socket.h"

/// What a rank finds on its host, and makes of its settings.
namespace gradwire::library {

/// Where the store is. Asks the system's resolver for the host's first IPv4 address. Throws InputError
/// when it has none.
[[nodiscard]] transport::tcp::Listening store_of(const Settings& settings);

/// The ports as the settings name them; where they name no addresses, with those that the interfaces
/// have. Where they name no ports, a wiring of one port per host has the way to the store, whose end
/// here is `own_address`. Throws InputError when they do not fit the wiring or this host, and where a
/// transport needs what they do not say.
[[nodiscard]] std::vector<transport::PortBinding> ports_of(const Settings& settings,
                                                           const topologies::Topology& wiring,
                                                           const std::string& own_address);

/// The key that proves the secret: the same for the same text, and of no use to find it.
[[nodiscard]] transport::RunKey key_of(const std::string& secret);

}  // namespace gradwire::library
