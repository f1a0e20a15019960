#pragma once

#include <cstddef>

#include "transport/port_binding.h"

namespace gradwire::transport::verbs {

/// The most bytes of payload that a packet of the port's RDMA device can have. Opens the device as
/// connect() does, and throws as it does when the device cannot be used.
[[nodiscard]] std::size_t usable_mtu(const PortBinding& port);

}  // namespace gradwire::transport::verbs
