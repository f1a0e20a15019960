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

/// Where a peer listens.
struct Listening {
  std::string address;
  std::uint16_t port = 0;

  static constexpr auto kFields =
      fields(field("address", &Listening::address), field("port", &Listening::port));
};

/// A non-blocking socket that listens on the binding's device and address, at a port that the
/// kernel chooses. Throws InputError for an address that is not IPv4, and SystemError.
[[nodiscard]] FileDescriptor listen_on(const PortBinding& binding);

/// The same at this address and port, on whatever device.
[[nodiscard]] FileDescriptor listen_at(const Listening& at);

/// Where a listening socket can be reached. Of a connected one, its own end.
[[nodiscard]] Listening address_of(int listener);

/// Begins to connect from the binding's device and address. The socket is non-blocking and becomes
/// writable when that has ended, one way or the other. Throws SystemError when it cannot begin.
[[nodiscard]] FileDescriptor start_connecting(const PortBinding& binding, const Listening& to);

/// Throws SystemError when what start_connecting() began has ended without a connection.
void finish_connecting(int connection, const PortBinding& binding, const Listening& to);

/// What the kernel takes beyond what is under way. Little, so that all connections of a port
/// advance side by side instead of each filling its buffer in turn.
inline constexpr std::size_t kUnsentBytes = 128 * 1024;

/// Sets what every data connection needs: no delay for small segments, little that waits unsent,
/// and an error instead of silence when sent data stays unacknowledged for `unacknowledged`. Throws
/// SystemError.
void configure(int connection, Nanoseconds unacknowledged);

/// Whether the kernel has sent what nobody acknowledges again and again. False where it does not say.
[[nodiscard]] bool sends_in_vain(int connection);

}  // namespace gradwire::transport::tcp
