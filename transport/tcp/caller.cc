#include "transport/tcp/caller.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/core.h>
#include <sys/socket.h>

namespace gradwire::transport::tcp {
namespace {

/// Shortest pause before a call is made again; it doubles each time, up to kLongestRest.
constexpr Nanoseconds kShortestRest = std::chrono::milliseconds(10);
constexpr unsigned kMostDoublings = 5;
/// First time that the kernels get to connect before a new attempt; it doubles each time. A packet
/// that finds the peer's queue full is sent again only after a second.
constexpr Nanoseconds kConnecting = std::chrono::milliseconds(250);

Nanoseconds doubled(Nanoseconds time, unsigned times) {
  return time * (1U << std::min(times, kMostDoublings));
}

}  // namespace

FabricError refused(Rank self, const ChannelName& channel, const std::string& detail) {
  return {FabricFailure::refused,
          {.rank = self, .peer = channel.peer.rank, .port = channel.peer.via, .lane = channel.lane},
          detail};
}

void Caller::call(const ChannelName& channel, const Listening& to) {
  calls_.push_back({.channel = channel, .to = to, .next = options_.clock.now()});
}

void Caller::watch(std::vector<pollfd>& polled) const {
  for (const Call& call : calls_) {
    const short events = call.state == State::connecting ? POLLOUT : POLLIN;
    polled.push_back({.fd = call.connection.get(), .events = events, .revents = 0});
  }
}

void Caller::work(std::span<const pollfd> polled) {
  std::size_t next = 0;
  std::erase_if(calls_, [&](Call& call) { return advance(call, polled[next++].revents != 0); });
}

TimePoint Caller::next_time() const {
  TimePoint next = TimePoint::max();
  for (const Call& call : calls_) {
    if (call.state <= State::connecting) next = std::min(next, call.next);
  }
  return next;
}

std::vector<std::pair<ChannelName, FileDescriptor>> Caller::take_connected() {
  return std::exchange(connected_, {});
}

std::string Caller::obstacle(const ChannelName& channel) const {
  const auto call = std::ranges::find(calls_, channel, &Call::channel);
  ensure(call != calls_.end(), "a channel without a connection has a call");
  if (call->times_dropped > 0) {
    return fmt::format("the peer closed the connection {} times instead of welcoming it",
                       call->times_dropped);
  }
  const PortBinding& port = options_.ports[channel.peer.via.index()];
  return fmt::format("{} at {}:{} {}", port.device, call->to.address, call->to.port,
                     call->state <= State::connecting ? "does not answer"
                                                      : "is connected, but its program is silent");
}

bool Caller::advance(Call& call, bool has_news) {
  const bool is_time = options_.clock.now() >= call.next;
  switch (call.state) {
    case State::resting:
      if (is_time) begin(call);
      return false;
    case State::connecting:
      if (has_news) {
        greet(call);
      } else if (is_time) {
        begin(call);
      }
      return false;
    case State::greeted:
      if (has_news && hear(call, kChallengeBytes)) prove(call);
      return false;
    case State::proven:
      return has_news && hear(call, kVerdictBytes) && hear_verdict(call);
  }
  throw InternalError("a call has a state");
}

void Caller::begin(Call& call) {
  call.state = State::connecting;
  call.next = options_.clock.now() + doubled(kConnecting, call.attempts++);
  call.heard.clear();
  try {
    const PortBinding& port = options_.ports[call.channel.peer.via.index()];
    call.connection = start_connecting(port, call.to);
  } catch (const SystemError& error) {
    throw refused(options_.self, call.channel, error.what());
  }
}

void Caller::greet(Call& call) {
  const Peer& peer = call.channel.peer;
  try {
    finish_connecting(call.connection.get(), options_.ports[peer.via.index()], call.to);
  } catch (const SystemError& error) {
    throw refused(options_.self, call.channel, error.what());
  }
  call.state = State::greeted;
  call.opening.greeting = encode({.lane = static_cast<std::uint32_t>(call.channel.lane),
                                  .from = options_.self,
                                  .via = peer.via,
                                  .to = peer.rank,
                                  .at = peer.at,
                                  .nonce = random_nonce()},
                                 options_.key);
  say(call, call.opening.greeting);
}

void Caller::prove(Call& call) {
  const auto challenge = decode_challenge(std::exchange(call.heard, ""));
  if (!challenge || !challenge->is_of_run) return rest(call);
  call.opening.challenge = challenge->nonce;
  call.state = State::proven;
  const Mac proof = proof_of_caller(options_.key, call.opening);
  say(call, {reinterpret_cast<const char*>(proof.data()), proof.size()});
}

bool Caller::hear_verdict(Call& call) {
  const auto verdict = decode_verdict(call.heard, options_.key, call.opening);
  if (!verdict) {
    throw refused(options_.self, call.channel,
                  fmt::format("who listens at {}:{} does not have the run's key", call.to.address,
                              call.to.port));
  }
  if (verdict->judgement != Judgement::welcome) {
    throw refused(options_.self, call.channel,
                  verdict->judgement == Judgement::taken
                      ? "the peer has another connection for this channel"
                      : "the peer has no such channel");
  }
  connected_.emplace_back(call.channel, std::move(call.connection));
  return true;
}

bool Caller::hear(Call& call, std::size_t wanted) {
  // No byte more: after the verdict comes what the channel carries.
  std::array<char, std::max(kChallengeBytes, kVerdictBytes)> bytes{};
  const ssize_t got = ::recv(call.connection.get(), bytes.data(), wanted - call.heard.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    rest(call);
    return false;
  }
  call.heard.append(bytes.data(), static_cast<std::size_t>(got));
  return call.heard.size() == wanted;
}

void Caller::say(Call& call, std::string_view bytes) {
  const ssize_t sent = ::send(call.connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(bytes.size())) rest(call);
}

void Caller::rest(Call& call) {
  call.connection.reset();
  call.state = State::resting;
  call.next = options_.clock.now() + doubled(kShortestRest, call.times_dropped++);
}

}  // namespace gradwire::transport::tcp
