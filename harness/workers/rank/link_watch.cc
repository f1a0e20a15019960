#include "harness/workers/rank/link_watch.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <poll.h>

#include "core/error.h"

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
      history_(options_.interfaces, testbed::LinkHistory::Carrier::needed) {
  static_cast<void>(look());
  watcher_ = std::thread(&LinkWatch::watch, this);
}

LinkWatch::~LinkWatch() {
  stop_.request();
  watcher_.join();
}

void LinkWatch::watch() try {
  while (!stop_.requested()) {
    testbed::drain_link_news(news_.get());
    const std::vector<Outage> outages = look();
    TimePoint due = TimePoint::max();
    for (const Outage& outage : outages) due = std::min(due, outage.since + kGrace);
    if (options_.clock.now() >= due) {
      const Failure failure = down(outages);
      {
        const std::scoped_lock lock(mutex_);
        reported_ = failure;
      }
      return options_.report(failure);
    }
    sleep_until(due, options_.clock, news_.get(), stop_.fd());
  }
} catch (const std::exception&) {
  // Without news there is only what the transports notice themselves.
}

std::vector<LinkWatch::Outage> LinkWatch::look() {
  const std::scoped_lock lock(mutex_);
  history_.note(reader_.read(options_.interfaces), options_.clock.now());
  return history_.outages();
}

Failure LinkWatch::down(const std::vector<Outage>& outages) const {
  const auto longest = std::ranges::min_element(outages, {}, &Outage::since);
  FabricPlace place{.rank = options_.rank};
  std::string detail = longest->what;
  if (outages.size() > 1 && outages.size() == options_.interfaces.size()) {
    detail = fmt::format("all its ports are down ({})", fmt::join(options_.interfaces, ", "));
  } else {
    place.port = Port(longest->interface);
    for (const Outage& other : outages) {
      if (other.interface != longest->interface) detail += "; " + other.what;
    }
  }
  Failure failure = describe_failure(FabricError(FabricFailure::link_down, place, detail));
  for (const Outage& outage : outages) failure.down.emplace_back(outage.interface);
  return failure;
}

Failure LinkWatch::explain(const std::exception& error) try {
  {
    const std::scoped_lock lock(mutex_);
    if (reported_) return *reported_;
  }
  const bool from_outside = dynamic_cast<const FabricError*>(&error) != nullptr ||
                            dynamic_cast<const SystemError*>(&error) != nullptr;
  const std::vector<Outage> outages = from_outside ? look() : std::vector<Outage>();
  return outages.empty() ? describe_failure(error) : down(outages);
} catch (const std::exception&) {
  return describe_failure(error);
}

std::vector<record::LinkEvent> LinkWatch::take_events(TimePoint since) {
  const std::scoped_lock lock(mutex_);
  std::vector<record::LinkEvent> events;
  for (testbed::LinkHistory::Event& event : history_.take_events(since)) {
    events.push_back({.port = Port(event.interface), .what = std::move(event.what)});
  }
  return events;
}

}  // namespace gradwire::workers
