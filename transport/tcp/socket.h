#pragma once

#include <cstdint>
#include <string>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "transport/port_binding.h"

/// TCP sockets that are tied to a network interface.
namespace gradwire::transport::tcp {

/// Where a peer listens.
struct Listening {
  std::string address;
  std::uint16_t port = 0;
};

/// A non-blocking socket that listens on the binding's device and address, at a port that the
/// kernel chooses. Throws InputError for an address that is not IPv4, and SystemError.
[[nodiscard]] FileDescriptor listen_on(const PortBinding& binding);

/// Where a listening socket can be reached.
[[nodiscard]] Listening address_of(int listener);

/// Connects from the binding's device and address. Blocks until connected; throws SystemError when
/// refused or unreachable, and with ETIMEDOUT when the deadline passes.
[[nodiscard]] FileDescriptor connect_from(const PortBinding& binding, const Listening& to,
                                          const Deadline& deadline);

/// Sets what every data connection needs: no delay for small segments, little that waits unsent,
/// and an error instead of silence when sent data stays unacknowledged for `unacknowledged`. Throws
/// SystemError.
void configure(int connection, Nanoseconds unacknowledged);

/// Blocks until `events` (poll's) or an error is pending on `fd`; false when the deadline passed.
[[nodiscard]] bool wait_for(int fd, short events, const Deadline& deadline);

}  // namespace gradwire::transport::tcp
