#pragma once

#include <string>

namespace gradwire::transport::ucx {

/// The source IPv4 address that the kernel would give an unbound socket that connects to
/// `destination`, which tells the port that the socket uses. Sends nothing. Throws SystemError when
/// there is no route, InputError when `destination` is no IPv4 address.
[[nodiscard]] std::string source_address_to(const std::string& destination);

}  // namespace gradwire::transport::ucx
