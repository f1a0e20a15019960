#include "tests/faults/loopback/meddler.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <sys/socket.h>

#include "core/error.h"
#include "tests/transport/sockets.h"
#include "transport/handshake.h"

namespace gradwire::faults {
namespace {

const transport::PortBinding kLo{.device = "lo", .address = "127.0.0.1"};
constexpr std::size_t kAtOnce = 256 * 1024;
constexpr std::size_t kLaneAt = 20;  ///< where a Greeting has its lane

std::uint32_t lane_of(std::string_view hello) {
  std::uint32_t lane = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    lane |= std::uint32_t{static_cast<std::uint8_t>(hello[kLaneAt + i])} << (8 * i);
  }
  return lane;
}

}  // namespace

Meddler::Meddler(const StreamFault& fault, Incident& incident)
    : fault_(fault),
      incident_(incident),
      listener_(transport::tcp::listen_on(kLo)),
      buffer_(kAtOnce) {}

Meddler::~Meddler() {
  stop_.request();
  if (thread_.joinable()) thread_.join();
}

transport::tcp::Listening Meddler::stand_before(const transport::tcp::Listening& target) {
  target_ = target;
  thread_ = std::thread(&Meddler::serve, this);
  return transport::tcp::address_of(listener_.get());
}

void Meddler::serve() {
  while (!stop_.requested()) {
    std::vector<pollfd> polled{{.fd = stop_.fd(), .events = POLLIN, .revents = 0},
                               {.fd = listener_.get(), .events = POLLIN, .revents = 0}};
    for (const Connection& connection : connections_) {
      for (const Pipe* pipe : {&connection.forth, &connection.back}) {
        const Pipe& other = pipe == &connection.forth ? connection.back : connection.forth;
        const int in = pipe->has_ended || pipe->onward.size() > 4 * kAtOnce ? 0 : POLLIN;
        const int out = other.onward.empty() ? 0 : POLLOUT;
        polled.push_back({.fd = (in | out) != 0 ? pipe->from : -1,
                          .events = static_cast<short>(in | out),
                          .revents = 0});
      }
    }
    if (::poll(polled.data(), polled.size(), 1000) < 0 && errno != EINTR) return;
    std::erase_if(connections_, [this](Connection& each) { return !work(each); });
    if (polled[1].revents != 0) accept();
  }
}

void Meddler::accept() try {
  FileDescriptor caller(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!caller) return;
  FileDescriptor acceptor = transport::testing::connect_to(target_);
  Connection& made = connections_.emplace_back();
  made.forth.from = made.back.to = caller.get();
  made.forth.to = made.back.from = acceptor.get();
  made.caller = std::move(caller);
  made.acceptor = std::move(acceptor);
} catch (const SystemError&) {
  // The acceptor has gone; the caller sees its connection close.
}

bool Meddler::work(Connection& connection) {
  for (Pipe* pipe : {&connection.forth, &connection.back}) {
    if (!pipe->has_ended && pipe->onward.size() <= 4 * kAtOnce) read(connection, *pipe);
    write(*pipe);
    if (pipe->stream && pipe->stream->is_cut() && pipe->onward.empty()) return false;
  }
  return !(connection.forth.is_shut && connection.back.is_shut);
}

void Meddler::read(Connection& connection, Pipe& pipe) {
  const ssize_t got = ::recv(pipe.from, buffer_.data(), buffer_.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    pipe.has_ended = true;
    return;
  }
  std::string bytes(buffer_.data(), static_cast<std::size_t>(got));
  if (!connection.is_known && &pipe == &connection.forth) {
    connection.hello += bytes;
    if (connection.hello.size() < transport::kGreetingBytes) return;
    learn(connection);
    bytes = std::exchange(connection.hello, "");
  }
  pipe.onward += pipe.stream ? pipe.stream->take(bytes) : bytes;
}

void Meddler::learn(Connection& connection) {
  connection.is_known = true;
  if (lane_of(connection.hello) != fault_.channel.lane) return;
  if (incident_.at() && !fault_.every_time) return;
  (fault_.to_caller ? connection.back : connection.forth).stream.emplace(fault_, incident_);
}

void Meddler::write(Pipe& pipe) {
  if (!pipe.onward.empty()) {
    const ssize_t sent =
        ::send(pipe.to, pipe.onward.data(), pipe.onward.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) pipe.onward.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      pipe.onward.clear();
      pipe.has_ended = true;
    }
  }
  if (pipe.has_ended && pipe.onward.empty() && !std::exchange(pipe.is_shut, true)) {
    ::shutdown(pipe.to, SHUT_WR);
  }
}

}  // namespace gradwire::faults
