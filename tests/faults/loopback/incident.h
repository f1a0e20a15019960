#pragma once

#include <atomic>
#include <optional>

#include "core/clock.h"

namespace gradwire::faults {

/// When the fault of a run happened. Thread-safe.
class Incident {
 public:
  /// Notes the time; only the first counts.
  void note() {
    TimePoint::rep none = 0;
    at_.compare_exchange_strong(none, clock_.now().time_since_epoch().count());
  }
  /// Nothing when it has not happened.
  [[nodiscard]] std::optional<TimePoint> at() const {
    const TimePoint::rep at = at_;
    if (at == 0) return std::nullopt;
    return TimePoint(TimePoint::duration(at));
  }

 private:
  SteadyClock clock_;
  std::atomic<TimePoint::rep> at_ = 0;
};

}  // namespace gradwire::faults
