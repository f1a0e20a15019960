#include "transport/tcp/endpoint.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "transport/add.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::tcp {
namespace {

/// Most waits in a row that may move something without asking the kernel which other channels are
/// ready.
constexpr std::size_t kMostUnpolled = 8;
/// Lead over another channel in the same step at which a channel gets no more. Sends that share a
/// port are served in proportion to their data waiting there, so one that is ahead would stay
/// ahead; and once it is through, its port at the receiver is idle while the other's is busy.
/// Smaller values, down to 0, did the same.
constexpr std::size_t kAbreastBytes = 64 * 1024;
/// Shortest hold_patience(): at 500 Mbit/s, where two sends take about as long, ports idled with 1
/// ms.
constexpr Nanoseconds kLeastPatience = std::chrono::milliseconds(5);

[[noreturn]] void throw_broken(std::size_t channel, int error) {
  throw ChannelError(
      channel, FabricFailure::peer_closed,
      error == 0 ? "the peer closed the connection" : std::generic_category().message(error));
}

bool again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Nanoseconds hold_patience(BitRate rate) {
  constexpr double kWaiting = 2 * kUnsentBytes + kAbreastBytes;
  return std::max(kLeastPatience, std::chrono::round<Nanoseconds>(time_to_send(kWaiting, rate)));
}

TcpEndpoint::TcpEndpoint(Elements gradient, std::vector<Channel> channels,
                         const Cancellation& cancellation, Nanoseconds patience)
    : gradient_(gradient),
      channels_(std::move(channels)),
      cancellation_(cancellation),
      patience_(patience),
      staging_(kFrameBytes) {
  static_assert(kFrameBytes % kMostElementBytes == 0, "a frame holds whole elements");
  ensure(gradient_.element_bytes() <= kMostElementBytes, "a part of an element has room");
  for (const Channel& channel : channels_) {
    polled_.push_back({.fd = channel.connection.get(), .events = 0, .revents = 0});
  }
  polled_.push_back({.fd = cancellation_.fd(), .events = POLLIN, .revents = 0});
  progress_.reserve(2 * channels_.size());
  sending_.reserve(channels_.size());
}

void TcpEndpoint::post_send(std::size_t channel, const SendRequest& request) {
  PostedQueue& sends = channels_[channel].sends;
  if (sends.empty()) {
    channels_[channel].may_send = true;
    sending_.push_back(channel);
  }
  sends.push({.extent = request.what,
              .operation = request.operation,
              .step = request.step,
              .element_bytes = gradient_.element_bytes()});
}

void TcpEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                               std::size_t operation) {
  PostedQueue& receives = channels_[channel].receives;
  if (receives.empty()) channels_[channel].may_receive = true;
  receives.push({.extent = where,
                 .how = how,
                 .operation = operation,
                 .element_bytes = gradient_.element_bytes()});
}

std::span<const Progress> TcpEndpoint::wait(const Deadline& deadline) {
  progress_.clear();
  if (cancellation_.requested()) throw Cancelled();
  // A busy channel must not keep us from noticing what came for the others.
  if (++unpolled_ <= kMostUnpolled) move_some();
  if (!progress_.empty()) return progress_;
  unpolled_ = 0;
  while (progress_.empty()) {
    if (!poll_channels(deadline)) return {};
    move_some();
    // A connection may look ready and take nothing: that must not last longer than silence may.
    if (progress_.empty() && deadline.passed()) return {};
  }
  return progress_;
}

void TcpEndpoint::move_to(Elements gradient) {
  ensure(gradient.type() == gradient_.type() && gradient.size() == gradient_.size(),
         "memory of the same elements takes the place of the gradient");
  gradient_ = gradient;
}

std::optional<std::size_t> TcpEndpoint::find_unanswered() const {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (sends_in_vain(channels_[i].connection.get())) return i;
  }
  return std::nullopt;
}

bool TcpEndpoint::poll_channels(const Deadline& deadline) {
  find_laggard();
  bool holds = false;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const bool sends = !channels_[i].sends.empty();
    const bool held = sends && is_ahead(channels_[i]);
    holds = holds || held;
    const int in = channels_[i].receives.empty() ? 0 : POLLIN;
    const int out = sends && !held ? POLLOUT : 0;
    polled_[i].events = static_cast<short>(in | out);
    // A negative descriptor is skipped: a broken channel that nobody uses must not wake us.
    polled_[i].fd = (in | out) != 0 ? channels_[i].connection.get() : -1;
  }
  if (!sleep_until_ready(deadline, holds)) return false;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    // An error or hang-up is found, and named, by the call that runs into it.
    const auto ready = [&](short events) {
      return (polled_[i].revents & (events | POLLERR | POLLHUP)) != 0;
    };
    channels_[i].may_receive = ready(POLLIN);
    channels_[i].may_send = ready(POLLOUT);
  }
  return true;
}

bool TcpEndpoint::sleep_until_ready(const Deadline& deadline, bool holds) {
  while (true) {
    const Nanoseconds left = holds ? std::min(deadline.left(), patience_) : deadline.left();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    const int ready = ::ppoll(polled_.data(), polled_.size(), &timeout, nullptr);
    if (cancellation_.requested()) throw Cancelled();
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw SystemError("ppoll", errno);
    if (deadline.passed()) return false;
    if (ready == 0 && holds) {
      given_up_ = laggard_;
      return true;
    }
  }
}

void TcpEndpoint::find_laggard() {
  laggard_ = {};
  for (const std::size_t i : sending_) laggard_ = std::min(laggard_, channels_[i].advance());
}

bool TcpEndpoint::is_ahead(const Channel& channel) const {
  const Advance advance = channel.advance();
  return advance.step == laggard_.step && advance.bytes > laggard_.bytes + kAbreastBytes &&
         laggard_ != given_up_;
}

void TcpEndpoint::move_some() {
  find_laggard();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    if (std::exchange(channel.may_receive, false) && !channel.receives.empty()) receive_some(i);
  }
  for (const std::size_t i : sending_) {
    Channel& channel = channels_[i];
    if (!channel.may_send || is_ahead(channel)) continue;
    channel.may_send = false;
    send_some(i);
  }
  std::erase_if(sending_, [this](std::size_t i) { return channels_[i].sends.empty(); });
}

void TcpEndpoint::send_some(std::size_t channel) {
  Channel& state = channels_[channel];
  const Posted& posted = state.sends.front();
  const std::size_t left = state.outgoing.payload_left(posted.bytes_left());
  const auto payload = state.outgoing.next_part(bytes_of(posted).subspan(posted.bytes_done, left));
  const auto check = payload.size() == left ? state.outgoing.check_left() : std::span<std::byte>{};
  std::array<iovec, 2> parts{{{.iov_base = payload.data(), .iov_len = payload.size()},
                              {.iov_base = check.data(), .iov_len = check.size()}}};
  const msghdr message{.msg_iov = parts.data(), .msg_iovlen = parts.size()};
  const ssize_t result = ::sendmsg(state.connection.get(), &message, MSG_NOSIGNAL);
  if (result < 0) {
    if (again(errno)) return;
    throw_broken(channel, errno);
  }
  const auto sent = static_cast<std::size_t>(result);
  const std::size_t of_payload = std::min(sent, payload.size());
  const bool is_complete = state.outgoing.advance(of_payload, left, sent - of_payload);
  state.may_send = !is_complete && sent == payload.size() + check.size();  // there may be room
  if (is_complete) state.outgoing.end();
  state.sent = state.advance();
  state.sent.bytes += of_payload;
  report(state.sends, of_payload, is_complete);
  if (state.sends.empty()) state.sent = {};
}

void TcpEndpoint::receive_some(std::size_t channel) {
  Channel& state = channels_[channel];
  const Posted& posted = state.receives.front();
  const std::size_t left = state.incoming.payload_left(posted.bytes_left());
  const Arrived arrived = posted.how == Combine::add ? read_and_add(channel, posted, left)
                                                     : read_into_gradient(channel, posted, left);
  const bool is_complete = state.incoming.advance(arrived.payload, left, arrived.check);
  if (is_complete) {
    if (!state.incoming.is_right()) throw_corrupted(channel);
    state.incoming.end();
  }
  report(state.receives, arrived.payload, is_complete);
}

TcpEndpoint::Arrived TcpEndpoint::read_into_gradient(std::size_t channel, const Posted& posted,
                                                     std::size_t bytes) {
  return read(channel, bytes_of(posted).subspan(posted.bytes_done, bytes));
}

TcpEndpoint::Arrived TcpEndpoint::read_and_add(std::size_t channel, const Posted& posted,
                                               std::size_t bytes) {
  Channel& state = channels_[channel];
  const std::span<std::byte> staging(staging_);
  std::memcpy(staging.data(), state.partial.data(), state.partial_bytes);
  const Arrived arrived = read(channel, staging.subspan(state.partial_bytes, bytes));

  const std::size_t available = state.partial_bytes + arrived.payload;
  state.partial_bytes = available % posted.element_bytes;
  const std::size_t whole = available - state.partial_bytes;
  const auto sums = bytes_of(posted).subspan(posted.elements_done() * posted.element_bytes, whole);
  add(gradient_.type(), sums, staging.first(whole));
  std::memcpy(state.partial.data(), staging.data() + whole, state.partial_bytes);
  return arrived;
}

TcpEndpoint::Arrived TcpEndpoint::read(std::size_t channel, std::span<std::byte> into) {
  Channel& state = channels_[channel];
  const auto check = state.incoming.check_left();
  std::array<iovec, 2> parts{{{.iov_base = into.data(), .iov_len = into.size()},
                              {.iov_base = check.data(), .iov_len = check.size()}}};
  msghdr message{.msg_iov = parts.data(), .msg_iovlen = parts.size()};
  const ssize_t got = ::recvmsg(state.connection.get(), &message, 0);
  if (got > 0) {
    const auto bytes = static_cast<std::size_t>(got);
    state.may_receive = bytes == into.size() + check.size();  // there may be more
    const std::size_t payload = std::min(bytes, into.size());
    state.incoming.mix(into.first(payload));  // while it is in the cache
    return {.payload = payload, .check = bytes - payload};
  }
  if (got < 0 && again(errno)) return {};
  throw_broken(channel, got == 0 ? 0 : errno);
}

void TcpEndpoint::throw_corrupted(std::size_t channel) const {
  const Channel& state = channels_[channel];
  std::array<char, IFNAMSIZ> device{};
  socklen_t size = device.size();
  static_cast<void>(
      ::getsockopt(state.connection.get(), SOL_SOCKET, SO_BINDTODEVICE, device.data(), &size));
  throw ChannelError(
      channel, FabricFailure::corrupted,
      fmt::format("frame {} that came over {} has CRC32C {:08x}, and should have {:08x}",
                  state.incoming.number(), device.data(), state.incoming.arrived_crc(),
                  state.incoming.expected_crc()));
}

void TcpEndpoint::report(PostedQueue& queue, std::size_t bytes, bool is_complete) {
  Posted& posted = queue.front();
  posted.bytes_done += bytes;
  const bool is_done = posted.bytes_left() == 0 && is_complete;
  const std::size_t elements =
      is_done ? posted.extent.count : std::min(posted.elements_done(), posted.extent.count - 1);
  if (elements > posted.reported) {
    progress_.push_back({.operation = posted.operation, .elements = elements});
    posted.reported = elements;
  }
  if (is_done) queue.pop();
}

std::span<std::byte> TcpEndpoint::bytes_of(const Posted& posted) const {
  return gradient_.bytes(posted.extent);
}

}  // namespace gradwire::transport::tcp
