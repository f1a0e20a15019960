#include "transport/tcp/endpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/socket.h>

#include "transport/add.h"

namespace gradwire::transport::tcp {
namespace {

/// Bytes read or written by one system call: large enough to make calls and wake-ups rare, small
/// enough that what was read is still in the second-level cache when it is added. Nine ranks on two
/// cores without shapers took 41 ms with 64 KiB, 35 with 128, 32 with this; shaped links showed no
/// difference.
constexpr std::size_t kMostAtOnce = 256 * 1024;

/// Waits in a row that may move something without asking the kernel who else is ready.
constexpr std::size_t kMostUnpolled = 8;

[[noreturn]] void throw_broken(std::size_t channel, int error) {
  throw ChannelError(
      channel, FabricFailure::peer_closed,
      error == 0 ? "the peer closed the connection" : std::generic_category().message(error));
}

bool again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

TcpEndpoint::TcpEndpoint(std::span<float> gradient, std::vector<Channel> channels,
                         const Cancellation& cancellation)
    : gradient_(gradient),
      channels_(std::move(channels)),
      cancellation_(cancellation),
      staging_(kMostAtOnce / sizeof(float)) {
  for (const Channel& channel : channels_) {
    polled_.push_back({.fd = channel.connection.get(), .events = 0, .revents = 0});
  }
  polled_.push_back({.fd = cancellation_.fd(), .events = POLLIN, .revents = 0});
  progress_.reserve(2 * channels_.size());
}

void TcpEndpoint::post_send(std::size_t channel, Extent what, std::size_t operation) {
  PostedQueue& sends = channels_[channel].sends;
  if (sends.empty()) channels_[channel].may_send = true;
  sends.push({.extent = what, .operation = operation});
}

void TcpEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                               std::size_t operation) {
  PostedQueue& receives = channels_[channel].receives;
  if (receives.empty()) channels_[channel].may_receive = true;
  receives.push({.extent = where, .how = how, .operation = operation});
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
  }
  return progress_;
}

bool TcpEndpoint::poll_channels(const Deadline& deadline) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const int in = channels_[i].receives.empty() ? 0 : POLLIN;
    const int out = channels_[i].sends.empty() ? 0 : POLLOUT;
    polled_[i].events = static_cast<short>(in | out);
    // A negative descriptor is skipped: a broken channel that nobody uses must not wake us.
    polled_[i].fd = (in | out) != 0 ? channels_[i].connection.get() : -1;
  }
  if (!sleep_until_ready(deadline)) return false;
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

bool TcpEndpoint::sleep_until_ready(const Deadline& deadline) {
  while (true) {
    const Nanoseconds left = deadline.left();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    const int ready = ::ppoll(polled_.data(), polled_.size(), &timeout, nullptr);
    if (cancellation_.requested()) throw Cancelled();
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw SystemError("ppoll", errno);
    if (deadline.passed()) return false;
  }
}

void TcpEndpoint::move_some() {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    if (std::exchange(channel.may_receive, false) && !channel.receives.empty()) receive_some(i);
    if (std::exchange(channel.may_send, false) && !channel.sends.empty()) send_some(i);
  }
}

void TcpEndpoint::send_some(std::size_t channel) {
  PostedQueue& sends = channels_[channel].sends;
  const Posted& posted = sends.front();
  const auto bytes = bytes_of(posted).subspan(posted.bytes_done);
  const ssize_t sent = ::send(channels_[channel].connection.get(), bytes.data(),
                              std::min(bytes.size(), kMostAtOnce), MSG_NOSIGNAL);
  if (sent < 0) {
    if (again(errno)) return;
    throw_broken(channel, errno);
  }
  report(sends, static_cast<std::size_t>(sent));
}

void TcpEndpoint::receive_some(std::size_t channel) {
  PostedQueue& receives = channels_[channel].receives;
  const Posted& posted = receives.front();
  const std::size_t bytes = posted.how == Combine::add ? read_and_add(channel, posted)
                                                       : read_into_gradient(channel, posted);
  if (bytes > 0) report(receives, bytes);
}

std::size_t TcpEndpoint::read_into_gradient(std::size_t channel, const Posted& posted) {
  const auto bytes = bytes_of(posted).subspan(posted.bytes_done);
  return read(channel, bytes.first(std::min(bytes.size(), kMostAtOnce)));
}

std::size_t TcpEndpoint::read_and_add(std::size_t channel, const Posted& posted) {
  Channel& state = channels_[channel];
  const auto staging = std::as_writable_bytes(std::span(staging_));
  std::memcpy(staging.data(), state.partial.data(), state.partial_bytes);
  const std::size_t room = std::min(posted.bytes_left(), staging.size() - state.partial_bytes);
  const std::size_t bytes = read(channel, staging.subspan(state.partial_bytes, room));

  const std::size_t available = state.partial_bytes + bytes;
  const std::size_t whole = available / sizeof(float);
  const std::size_t first = posted.extent.first + posted.bytes_done / sizeof(float);
  add(gradient_.subspan(first, whole), std::span(staging_).first(whole));

  state.partial_bytes = available % sizeof(float);
  std::memcpy(state.partial.data(), staging.data() + whole * sizeof(float), state.partial_bytes);
  return bytes;
}

std::size_t TcpEndpoint::read(std::size_t channel, std::span<std::byte> into) {
  const ssize_t got = ::recv(channels_[channel].connection.get(), into.data(), into.size(), 0);
  if (got > 0) {
    const auto bytes = static_cast<std::size_t>(got);
    channels_[channel].may_receive = bytes == into.size();  // there may be more
    return bytes;
  }
  if (got < 0 && again(errno)) return 0;
  throw_broken(channel, got == 0 ? 0 : errno);
}

void TcpEndpoint::report(PostedQueue& queue, std::size_t bytes) {
  Posted& posted = queue.front();
  const std::size_t before = posted.elements_done();
  posted.bytes_done += bytes;
  if (posted.elements_done() > before) {
    progress_.push_back({.operation = posted.operation, .elements = posted.elements_done()});
  }
  if (posted.bytes_left() == 0) queue.pop();
}

std::span<std::byte> TcpEndpoint::bytes_of(const Posted& posted) const {
  return std::as_writable_bytes(gradient_.subspan(posted.extent.first, posted.extent.count));
}

}  // namespace gradwire::transport::tcp
