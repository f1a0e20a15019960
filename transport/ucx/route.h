#pragma once

#include <string>

namespace gradwire::transport::ucx {

/// The IPv4 address that the kernel would give a socket that is bound to nothing and connects to
/// `destination`: it tells the port that such a socket uses. Sends nothing. Throws SystemError when
/// there is no route, InputError when `destination` is no IPv4 address.
[[nodiscard]] std::string source_address_to(const std::string& destination);

}  // namespace gradwire::transport::ucx
