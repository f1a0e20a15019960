#include "core/clock.h"

#include <algorithm>

namespace gradwire {

TimePoint SteadyClock::now() const {
  return std::chrono::steady_clock::now();
}

Nanoseconds Deadline::left() const {
  return std::max(Nanoseconds::zero(), Nanoseconds(at_ - clock_->now()));
}

}  // namespace gradwire
