#include "transport/loopback/endpoint.h"

#include <algorithm>
#include <array>
#include <utility>

#include <poll.h>

#include "transport/add.h"

namespace gradwire::transport::loopback {
namespace {

/// Most elements combined before progress is reported, so that dependent operations can start.
constexpr std::size_t kMostAtOnce = 64 * 1024;

}  // namespace

LoopbackEndpoint::LoopbackEndpoint(Elements gradient, std::vector<Channel> channels,
                                   std::shared_ptr<const Bell> bell,
                                   const Cancellation& cancellation, const Clock& clock)
    : gradient_(gradient),
      channels_(std::move(channels)),
      bell_(std::move(bell)),
      cancellation_(cancellation),
      clock_(clock) {
  std::size_t operations = 0;
  for (const Channel& channel : channels_) operations += channel.sends.capacity() + 1;
  progress_.reserve(operations);
}

LoopbackEndpoint::~LoopbackEndpoint() {
  for (const Channel& channel : channels_) {
    channel.out->close();
    channel.in->close();
  }
}

void LoopbackEndpoint::post_send(std::size_t channel, const SendRequest& request) {
  channels_[channel].sends.push({.extent = request.what,
                                 .operation = request.operation,
                                 .element_bytes = gradient_.element_bytes()});
  channels_[channel].out->offer(gradient_.part(request.what));
}

void LoopbackEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                                    std::size_t operation) {
  channels_[channel].receives.push({.extent = where,
                                    .how = how,
                                    .operation = operation,
                                    .element_bytes = gradient_.element_bytes()});
}

std::span<const Progress> LoopbackEndpoint::wait(const Deadline& deadline) {
  progress_.clear();
  while (true) {
    bell_->silence();
    if (cancellation_.requested()) throw Cancelled();
    look();
    if (!progress_.empty()) return progress_;
    if (const auto broken = find_broken()) {
      look();  // for a peer that has taken all since, and left
      if (!progress_.empty()) return progress_;
      throw ChannelError(*broken, FabricFailure::peer_closed, "the other end is gone");
    }
    if (deadline.passed()) return {};
    sleep(deadline);
  }
}

void LoopbackEndpoint::look() {
  for (Channel& channel : channels_) {
    receive_some(channel);
    report_sent(channel);
  }
}

void LoopbackEndpoint::receive_some(Channel& channel) {
  if (channel.receives.empty()) return;
  Posted& posted = channel.receives.front();
  const std::size_t done = posted.elements_done();
  const Elements arrived = channel.in->available(std::min(kMostAtOnce, posted.extent.count - done));
  if (arrived.empty()) return;
  const auto target =
      gradient_.bytes({.first = posted.extent.first + done, .count = arrived.size()});
  if (posted.how == Combine::add) {
    add(gradient_.type(), target, arrived.bytes());
  } else {
    std::ranges::copy(arrived.bytes(), target.begin());
  }
  posted.bytes_done += target.size();
  progress_.push_back({.operation = posted.operation, .elements = posted.elements_done()});
  if (posted.bytes_left() == 0) channel.receives.pop();
  channel.in->consume(arrived.size());
}

void LoopbackEndpoint::report_sent(Channel& channel) {
  std::size_t news = channel.out->consumed() - channel.reported;
  channel.reported += news;
  while (news > 0) {
    Posted& posted = channel.sends.front();
    const std::size_t moved = std::min(news, posted.extent.count - posted.elements_done());
    posted.bytes_done += moved * posted.element_bytes;
    progress_.push_back({.operation = posted.operation, .elements = posted.elements_done()});
    if (posted.bytes_left() == 0) channel.sends.pop();
    news -= moved;
  }
}

std::optional<std::size_t> LoopbackEndpoint::find_broken() const {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const Channel& channel = channels_[i];
    const bool broken = (!channel.receives.empty() && channel.in->closed()) ||
                        (!channel.sends.empty() && channel.out->closed());
    if (broken) return i;
  }
  return std::nullopt;
}

void LoopbackEndpoint::sleep(const Deadline& deadline) const {
  Nanoseconds left = deadline.left();
  for (const Channel& channel : channels_) {
    if (const auto arrival = channel.in->arrival()) {
      left = std::min(left, std::max(Nanoseconds::zero(), Nanoseconds(*arrival - clock_.now())));
    }
  }
  std::array<pollfd, 2> wakers{pollfd{.fd = bell_->fd(), .events = POLLIN, .revents = 0},
                               pollfd{.fd = cancellation_.fd(), .events = POLLIN, .revents = 0}};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
  ::ppoll(wakers.data(), wakers.size(), &timeout, nullptr);  // an interrupted sleep is just shorter
}

}  // namespace gradwire::transport::loopback
