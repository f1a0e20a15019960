#pragma once

#include <array>
#include <cerrno>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

#include "core/clock.h"
#include "core/error.h"
#include "transport/rendezvous.h"
#include "transport/tcp/endpoint.h"
#include "transport/tcp/socket.h"

/// Connections that a test makes itself.
namespace gradwire::transport::testing {

/// Where a rank says that it listens, by port, in what it contributes while ranks connect over TCP;
/// empty for any other contribution.
inline std::vector<tcp::Listening> listeners_in(const std::string& contribution) {
  return from_contribution<std::vector<tcp::Listening>>(contribution)
      .value_or(std::vector<tcp::Listening>());
}

/// Waits for poll's `events` on a descriptor; false when the deadline passed.
inline bool wait_for(int fd, short events, const Deadline& deadline) {
  pollfd waiter{.fd = fd, .events = events, .revents = 0};
  const Nanoseconds left = deadline.left();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
  return ::ppoll(&waiter, 1, &timeout, nullptr) > 0;
}

/// A connection that stands. Throws SystemError.
inline FileDescriptor connect_from(const PortBinding& from, const tcp::Listening& to) {
  const SteadyClock clock;
  FileDescriptor connection = tcp::start_connecting(from, to);
  if (!wait_for(connection.get(), POLLOUT, Deadline(clock, std::chrono::seconds(5)))) {
    throw SystemError("connect", ETIMEDOUT);
  }
  tcp::finish_connecting(connection.get(), from, to);
  return connection;
}

/// The same on the loopback interface.
inline FileDescriptor connect_to(const tcp::Listening& to) {
  return connect_from({.device = "lo", .address = "127.0.0.1"}, to);
}

/// Reads until `bytes` are there, the connection ends, or some seconds have passed. What was read.
inline std::string read_up_to(int connection, std::size_t bytes) {
  const SteadyClock clock;
  const Deadline deadline(clock, std::chrono::seconds(5));
  std::string read;
  while (read.size() < bytes && wait_for(connection, POLLIN, deadline)) {
    std::string part(bytes - read.size(), '\0');
    const ssize_t got = ::recv(connection, part.data(), part.size(), 0);
    if (got <= 0) break;
    read += part.substr(0, static_cast<std::size_t>(got));
  }
  return read;
}

/// Both ends of a connection, which do not block.
struct SocketPair {
  FileDescriptor ours;
  FileDescriptor theirs;

  /// Throws SystemError.
  SocketPair() {
    std::array<int, 2> ends{};
    checked(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()),
            "socketpair");
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
  }
};

/// What a TcpEndpoint takes of a connection: up to eight operations each way.
inline tcp::TcpEndpoint::Channel channel_of(FileDescriptor connection, bool checked_frames) {
  return {.connection = std::move(connection),
          .sends = PostedQueue(8),
          .receives = PostedQueue(8),
          .outgoing = tcp::Frame(checked_frames),
          .incoming = tcp::Frame(checked_frames)};
}

}  // namespace gradwire::transport::testing
