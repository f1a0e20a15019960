#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/fields.h"
#include "core/file_descriptor.h"
#include "core/units.h"
#include "transport/port_binding.h"

/// TCP sockets that are tied to a network interface.
namespace gradwire::transport::tcp {

/// Address and port at which a peer listens.
struct Listening {
  std::string address;
  std::uint16_t port = 0;

  static constexpr auto kFields =
      fields(field("address", &Listening::address), field("port", &Listening::port));
};

/// Makes a non-blocking socket that listens on the binding's device and address, at a port that the
/// kernel chooses. Throws InputError for an address that is not IPv4, and SystemError.
[[nodiscard]] FileDescriptor listen_on(const PortBinding& binding);

/// Makes a socket that listens at this address and port, on any device.
[[nodiscard]] FileDescriptor listen_at(const Listening& at);

/// The address of a listening socket; for a connected one, that of its own end.
[[nodiscard]] Listening address_of(int listener);

/// Begins to connect from the binding's device and address. The socket is non-blocking and becomes
/// writable when that has succeeded or failed. Throws SystemError when it cannot begin.
[[nodiscard]] FileDescriptor start_connecting(const PortBinding& binding, const Listening& to);

/// Checks that start_connecting() has ended with a connection. Throws SystemError when it has not.
void finish_connecting(int connection, const PortBinding& binding, const Listening& to);

/// Most unsent bytes that the kernel accepts per connection. Few, so that all connections of a port
/// advance side by side instead of each filling its buffer in turn.
inline constexpr std::size_t kUnsentBytes = 128 * 1024;

/// Sets the options of a data connection: no delay for small segments, few unsent bytes, and an
/// error instead of silence when sent data stays unacknowledged for `unacknowledged`. Throws
/// SystemError.
void configure(int connection, Nanoseconds unacknowledged);

/// Whether the kernel sends data again and again that nobody acknowledges. False where it does not
/// say.
[[nodiscard]] bool sends_in_vain(int connection);

}  // namespace gradwire::transport::tcp
