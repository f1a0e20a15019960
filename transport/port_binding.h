#pragma once

#include <string>

#include "core/fields.h"

namespace gradwire::transport {

/// Local port of the host: the interfaces and the address that its traffic must use.
struct PortBinding {
  std::string device;     ///< network interface: "p0", "lo"; with tcp, empty means any
  std::string address;    ///< its IPv4 address: "10.100.0.1"
  std::string rdma = {};  ///< the RDMA device on it: "r3p0"; empty: none

  static constexpr auto kFields =
      row(field("device", &PortBinding::device), field("address", &PortBinding::address),
          field("rdma", &PortBinding::rdma));

  friend bool operator==(const PortBinding&, const PortBinding&) = default;
};

}  // namespace gradwire::transport
