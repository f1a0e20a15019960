#include "transport/verbs/waiter.h"

#include <cerrno>
#include <utility>

#include <sched.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

/// Yields of a polling lane per look for events of its devices.
constexpr unsigned kYieldsPerLook = 1024;

}  // namespace

Waiter::Waiter(std::vector<std::shared_ptr<CompletionQueue>> queues,
               const Cancellation& cancellation, bool poll)
    : queues_(std::move(queues)), poll_(poll) {
  for (const auto& queue : queues_) {
    for (const int fd : {queue->fd(), queue->device().event_fd(), queue->device().alarm_fd()}) {
      polled_.push_back({.fd = fd, .events = POLLIN, .revents = 0});
    }
  }
  polled_.push_back({.fd = cancellation.fd(), .events = POLLIN, .revents = 0});
}

void Waiter::arm() {
  if (poll_) return;
  for (const auto& queue : queues_) queue->arm();
}

void Waiter::rest(Nanoseconds most) {
  if (!poll_) return look(most);
  ::sched_yield();
  if (++yields_ % kYieldsPerLook == 0) look(Nanoseconds::zero());
}

void Waiter::look(Nanoseconds most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (most - seconds).count()};
  const int ready = ::ppoll(polled_.data(), polled_.size(), &timeout, nullptr);
  if (ready < 0 && errno != EINTR) throw SystemError("ppoll", errno);
  if (ready <= 0) return;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (polled_[kPerQueue * i].revents != 0) queues_[i]->disarm();
    if (polled_[kPerQueue * i + 1].revents != 0) queues_[i]->device().take_events();
  }
}

bool Waiter::take_alarm(std::size_t queue) {
  pollfd& alarm = polled_[kPerQueue * queue + 2];
  if (alarm.revents == 0) return false;
  alarm.revents = 0;
  alarm.fd = -1;  // it stays readable, and must not wake us again
  return true;
}

}  // namespace gradwire::transport::verbs
