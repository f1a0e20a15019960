#include "transport/tcp/socket.h"

#include <cerrno>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::transport::tcp {
namespace {

/// Connections that the kernel completes before the program accepts them. When the queue is full,
/// packets of callers are dropped, and they try again only after a second.
constexpr int kBacklog = 4096;
/// Retransmissions in vain after which a peer counts as not answering: with the kernel's usual
/// timers, after half a second. On a connection that was slow before, timers are longer: then one
/// is enough if nothing has been acknowledged for so long.
constexpr std::uint8_t kFewestRepeats = 2;
constexpr std::uint32_t kLongestSilence = 1000;  // ms

sockaddr_in socket_address(const std::string& address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  if (::inet_pton(AF_INET, address.c_str(), &result.sin_addr) != 1) {
    throw InputError(fmt::format("'{}' is not an IPv4 address", address));
  }
  return result;
}

std::string text(const PortBinding& binding) {
  if (binding.device.empty()) return binding.address;
  return fmt::format("{} on {}", binding.address, binding.device);
}

std::string connecting(const PortBinding& binding, const Listening& to) {
  return fmt::format("connect {} to {}:{}", text(binding), to.address, to.port);
}

/// Makes a non-blocking TCP socket bound to the binding's address, and to its device if it has one.
FileDescriptor bound_socket(const PortBinding& binding) {
  FileDescriptor fd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                            "socket(AF_INET, SOCK_STREAM)"));
  checked(::setsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, binding.device.c_str(),
                       static_cast<socklen_t>(binding.device.size())),
          fmt::format("bind to device {}", binding.device));
  const sockaddr_in local = socket_address(binding.address, 0);
  checked(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&local), sizeof local),
          fmt::format("bind to {}", text(binding)));
  return fd;
}

}  // namespace

FileDescriptor listen_on(const PortBinding& binding) {
  FileDescriptor fd = bound_socket(binding);
  checked(::listen(fd.get(), kBacklog), fmt::format("listen at {}", text(binding)));
  return fd;
}

FileDescriptor listen_at(const Listening& at) {
  const std::string where = fmt::format("{}:{}", at.address, at.port);
  FileDescriptor fd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                            "socket(AF_INET, SOCK_STREAM)"));
  const int on = 1;  // or the port of a job that has just ended would be taken for a minute
  checked(::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on),
          "setsockopt(SO_REUSEADDR)");
  const sockaddr_in local = socket_address(at.address, at.port);
  checked(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&local), sizeof local),
          "listen at " + where);
  checked(::listen(fd.get(), kBacklog), "listen at " + where);
  return fd;
}

Listening address_of(int listener) {
  sockaddr_in local{};
  socklen_t size = sizeof local;
  checked(::getsockname(listener, reinterpret_cast<sockaddr*>(&local), &size), "getsockname");
  char address[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &local.sin_addr, address, sizeof address);
  return {.address = address, .port = ntohs(local.sin_port)};
}

FileDescriptor start_connecting(const PortBinding& binding, const Listening& to) {
  FileDescriptor fd = bound_socket(binding);
  const sockaddr_in remote = socket_address(to.address, to.port);
  const int result = ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&remote), sizeof remote);
  if (result != 0 && errno != EINPROGRESS) throw SystemError(connecting(binding, to), errno);
  return fd;
}

void finish_connecting(int connection, const PortBinding& binding, const Listening& to) {
  int error = 0;
  socklen_t size = sizeof error;
  checked(::getsockopt(connection, SOL_SOCKET, SO_ERROR, &error, &size), "getsockopt(SO_ERROR)");
  if (error != 0) throw SystemError(connecting(binding, to), error);
}

void configure(int connection, Nanoseconds unacknowledged) {
  const int on = 1;
  checked(::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on),
          "setsockopt(TCP_NODELAY)");
  const auto unsent = static_cast<int>(kUnsentBytes);
  checked(::setsockopt(connection, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent),
          "setsockopt(TCP_NOTSENT_LOWAT)");
  const auto timeout = static_cast<unsigned>(
      std::chrono::duration_cast<std::chrono::milliseconds>(unacknowledged).count());
  checked(::setsockopt(connection, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout),
          "setsockopt(TCP_USER_TIMEOUT)");
}

bool sends_in_vain(int connection) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  if (info.tcpi_unacked == 0 || info.tcpi_retransmits == 0) return false;
  return info.tcpi_retransmits >= kFewestRepeats || info.tcpi_last_ack_recv >= kLongestSilence;
}

}  // namespace gradwire::transport::tcp
