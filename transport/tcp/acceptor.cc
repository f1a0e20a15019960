#include "transport/tcp/acceptor.h"

#include <algorithm>
#include <cerrno>

#include <sys/socket.h>

namespace gradwire::transport::tcp {
namespace {

/// Accepted from one listener before the others, and those that are pending, have their turn.
constexpr std::size_t kMostTakenAtOnce = 64;
/// How long nothing is accepted for want of descriptors that nobody pending can give back.
constexpr Nanoseconds kRest = std::chrono::milliseconds(100);

}  // namespace

Acceptor::Acceptor(std::vector<FileDescriptor> listeners, Options options)
    : listeners_(std::move(listeners)),
      options_(std::move(options)),
      expected_(options_.expected.begin(), options_.expected.end()) {}

void Acceptor::watch(std::vector<pollfd>& polled) const {
  const bool rests = options_.clock.now() < rests_until_;
  for (std::size_t port = 0; port < listeners_.size(); ++port) {
    const bool open = !rests && expects_at(Port(port));
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

std::vector<std::pair<ChannelName, FileDescriptor>> Acceptor::take_admitted() {
  return std::exchange(ready_, {});
}

bool Acceptor::settle(Pending& pending) {
  const std::size_t wanted = pending.hello ? sizeof(Mac) : kHelloBytes;
  const ssize_t got = ::recv(pending.connection.get(), pending.said.data() + pending.received,
                             wanted - pending.received, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    ++dropped_;
    return true;
  }
  pending.received += static_cast<std::size_t>(got);
  if (pending.received < wanted) return false;
  if (!pending.hello) return !challenge(pending);
  judge(pending);
  return true;
}

bool Acceptor::challenge(Pending& pending) {
  pending.hello = decode(pending.said, options_.key);
  // Fits into any socket's buffer: the connection has sent nothing yet.
  if (pending.hello && pending.hello->to == options_.self) {
    pending.opening = {.hello = pending.said, .challenge = random_nonce()};
    pending.received = 0;
    const Nonce& nonce = pending.opening.challenge;
    const ssize_t sent = ::send(pending.connection.get(), nonce.data(), nonce.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(nonce.size())) return true;
  }
  ++dropped_;
  return false;
}

void Acceptor::judge(Pending& pending) {
  Mac proof{};
  std::copy_n(pending.said.begin(), proof.size(), proof.begin());
  if (!equal(proof, proof_of_caller(options_.key, pending.opening))) {
    ++dropped_;
    return;
  }
  const ChannelName channel = pending.hello->channel();
  Verdict verdict = Verdict::welcome;
  if (admitted_.contains(channel)) verdict = Verdict::taken;
  if (!expected_.contains(channel) || pending.hello->at != pending.port) {
    verdict = Verdict::unknown;
  }
  const VerdictBytes answer = encode(verdict, options_.key, pending.opening);
  const ssize_t sent = ::send(pending.connection.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(answer.size()) || verdict != Verdict::welcome) return;
  admitted_.insert(channel);
  ready_.emplace_back(channel, std::move(pending.connection));
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
    // A rank said its Hello as soon as it had connected, so it is challenged at once.
    if (settle(pending_.back())) pending_.pop_back();
  }
}

bool Acceptor::expects_at(Port port) const {
  return std::ranges::any_of(expected_, [&](const ChannelName& channel) {
    return channel.peer.via == port && !admitted_.contains(channel);
  });
}

}  // namespace gradwire::transport::tcp
