#pragma once

#include <string>

namespace gradwire::testbed {

/// Sets a network setting of the calling thread's namespace: ("ipv4/ip_forward", "1"). Throws
/// SystemError.
void set_network_setting(const std::string& name, const std::string& value);

/// Sets a network setting that not every kernel has. False when it is missing or refused.
bool try_network_setting(const std::string& name, const std::string& value);

}  // namespace gradwire::testbed
