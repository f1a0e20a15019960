#include "transport/acceptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include <sys/socket.h>

namespace gradwire::transport {
namespace {

/// Accepted from one listener before the others, and those that are pending, have their turn.
constexpr std::size_t kMostTakenAtOnce = 64;
/// Time for which nothing is accepted for want of descriptors that nobody pending can give back.
constexpr Nanoseconds kRest = std::chrono::milliseconds(100);

/// Sends what fits into any socket's buffer: the connection has sent less before.
bool send_whole(const FileDescriptor& connection, std::string_view bytes) {
  return ::send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

}  // namespace

Acceptor::Acceptor(std::vector<FileDescriptor> listeners, const Options& options)
    : listeners_(std::move(listeners)), options_(options) {}

void Acceptor::watch(std::vector<pollfd>& polled) const {
  const bool rests = options_.clock.now() < rests_until_;
  for (std::size_t port = 0; port < listeners_.size(); ++port) {
    const bool open = !rests && is_open(Port(port));
    polled.push_back({.fd = open ? listeners_[port].get() : -1, .events = POLLIN, .revents = 0});
  }
  for (const Pending& pending : pending_) {
    polled.push_back({.fd = pending.connection.get(), .events = POLLIN, .revents = 0});
  }
}

void Acceptor::work(std::span<const pollfd> polled) {
  // Settled before more is taken, so that those that were dropped make room.
  std::size_t next = listeners_.size();
  std::erase_if(pending_,
                [&](Pending& pending) { return polled[next++].revents != 0 && settle(pending); });
  expire();
  for (std::size_t port = 0; port < listeners_.size(); ++port) {
    if (polled[port].revents != 0) take(Port(port));
  }
}

bool Acceptor::settle(Pending& pending) {
  std::array<char, std::max(kGreetingBytes, sizeof(Mac))> bytes{};
  const std::size_t wanted = pending.greeting ? sizeof(Mac) : kGreetingBytes;
  const ssize_t got =
      ::recv(pending.connection.get(), bytes.data(), wanted - pending.said.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    ++dropped_;
    return true;
  }
  pending.said.append(bytes.data(), static_cast<std::size_t>(got));
  if (pending.said.size() < wanted) return false;
  if (!pending.greeting) return !challenge(pending);
  decide(pending);
  return true;
}

bool Acceptor::challenge(Pending& pending) {
  const std::optional<Greeting> greeting = decode_greeting(pending.said, options_.key);
  if (greeting && greeting->purpose == options_.purpose && greeting->to == options_.self) {
    pending.greeting = greeting;
    pending.opening = {.greeting = std::exchange(pending.said, ""), .challenge = random_nonce()};
    if (send_whole(pending.connection, encode({.nonce = pending.opening.challenge}))) return true;
  } else if (options_.answers_other_runs && is_greeting(pending.said)) {
    static_cast<void>(send_whole(pending.connection, encode({.is_of_run = false})));
  }
  ++dropped_;
  return false;
}

void Acceptor::decide(Pending& pending) {
  if (!is_proof_of_caller(pending.said, options_.key, pending.opening)) {
    ++dropped_;
    return;
  }
  const Verdict verdict = judge(*pending.greeting, pending.port);
  if (!send_whole(pending.connection, encode(verdict, options_.key, pending.opening))) return;
  if (verdict.judgement != Judgement::welcome) return;
  admit(*pending.greeting, std::move(pending.connection));
}

void Acceptor::expire() {
  const Nanoseconds patience = pending_.size() > kCrowd ? kPatienceInACrowd : kPatience;
  const TimePoint now = options_.clock.now();
  while (!pending_.empty() && now - pending_.front().since >= patience) {
    static_cast<void>(drop_oldest());
  }
}

bool Acceptor::drop_oldest() {
  if (pending_.empty()) return false;
  pending_.pop_front();
  ++dropped_;
  return true;
}

void Acceptor::take(Port port) {
  for (std::size_t taken = 0; taken < kMostTakenAtOnce; ++taken) {
    FileDescriptor connection(
        ::accept4(listeners_[port.index()].get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection) {
      if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) return;
      accept_error_ = errno;
      if (drop_oldest()) continue;
      rests_until_ = options_.clock.now() + kRest;
      return;
    }
    if (pending_.size() >= kMostPending) static_cast<void>(drop_oldest());
    pending_.push_back(
        {.connection = std::move(connection), .port = port, .since = options_.clock.now()});
    // A caller said its Greeting as soon as it had connected, so it is challenged at once.
    if (settle(pending_.back())) pending_.pop_back();
  }
}

}  // namespace gradwire::transport
