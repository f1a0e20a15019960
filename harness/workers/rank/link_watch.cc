#include "harness/workers/rank/link_watch.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <fmt/core.h>
#include <poll.h>

#include "testbed/link_state.h"

namespace gradwire::workers {
namespace {

/// Blocks until one of the two is readable or the time has come; max waits for ever.
void sleep_until(TimePoint time, const Clock& clock, int news, int stop) {
  std::array<pollfd, 2> polled{
      {{.fd = news, .events = POLLIN, .revents = 0}, {.fd = stop, .events = POLLIN, .revents = 0}}};
  timespec timeout{};
  if (time != TimePoint::max()) {
    const Nanoseconds left = std::max(time - clock.now(), Nanoseconds::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    timeout = {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
  }
  static_cast<void>(::ppoll(polled.data(), polled.size(),
                            time == TimePoint::max() ? nullptr : &timeout, nullptr));
}

}  // namespace

LinkWatch::LinkWatch(Options options)
    : options_(std::move(options)),
      news_(testbed::open_link_news()),
      down_since_(options_.interfaces.size()),
      watcher_(&LinkWatch::watch, this) {}

LinkWatch::~LinkWatch() {
  stop_.request();
  watcher_.join();
}

void LinkWatch::watch() try {
  while (!stop_.requested()) {
    testbed::drain_link_news(news_.get());
    const TimePoint due = look();
    if (options_.clock.now() >= due) {
      const auto down = find_down();
      if (!down) continue;
      {
        const std::scoped_lock lock(mutex_);
        reported_ = down;
      }
      return options_.report(*down);
    }
    sleep_until(due, options_.clock, news_.get(), stop_.fd());
  }
} catch (const SystemError&) {
  // Without news there is only what the transports notice themselves.
}

TimePoint LinkWatch::look() {
  TimePoint due = TimePoint::max();
  for (std::size_t port = 0; port < down_since_.size(); ++port) {
    std::optional<TimePoint>& since = down_since_[port];
    if (testbed::is_link_up(options_.interfaces[port])) {
      since.reset();
    } else {
      if (!since) since = options_.clock.now();
      due = std::min(due, *since + kGrace);
    }
  }
  return due;
}

std::optional<FabricError> LinkWatch::find_down() const {
  for (std::size_t port = 0; port < options_.interfaces.size(); ++port) {
    const std::string& interface = options_.interfaces[port];
    if (testbed::is_link_up(interface)) continue;
    return FabricError(FabricFailure::link_down, {.rank = options_.rank, .port = Port(port)},
                       fmt::format("{} is down", interface));
  }
  return std::nullopt;
}

Failure LinkWatch::explain(const std::exception& error) const try {
  {
    const std::scoped_lock lock(mutex_);
    if (reported_) return describe_failure(*reported_);
  }
  const bool from_outside = dynamic_cast<const FabricError*>(&error) != nullptr ||
                            dynamic_cast<const SystemError*>(&error) != nullptr;
  const auto down = from_outside ? find_down() : std::nullopt;
  return down ? describe_failure(*down) : describe_failure(error);
} catch (const SystemError&) {
  return describe_failure(error);
}

}  // namespace gradwire::workers
