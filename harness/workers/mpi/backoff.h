#pragma once

#include <algorithm>
#include <ctime>

#include <sched.h>

#include "core/clock.h"

namespace gradwire::workers {

/// Leaves the core to others between two looks at something that cannot wake a sleeper: for an
/// eighth of the time that has passed without success, within limits. At first it only yields.
class Backoff {
 public:
  struct Limits {
    Nanoseconds yields;  ///< time for which it does not sleep
    Nanoseconds least;
    Nanoseconds most;
  };

  /// The clock must outlive it.
  Backoff(const Limits& limits, const Clock& clock)
      : limits_(limits), clock_(clock), since_(clock.now()) {}

  /// There was something: begins anew.
  void reset() { since_ = clock_.now(); }

  /// Time that pause() would sleep now.
  [[nodiscard]] Nanoseconds next() const {
    const Nanoseconds idle = clock_.now() - since_;
    if (idle < limits_.yields) return Nanoseconds::zero();
    return std::clamp(idle / 8, limits_.least, limits_.most);
  }

  /// Yields or sleeps.
  void pause() const {
    const Nanoseconds time = next();
    if (time == Nanoseconds::zero()) {
      ::sched_yield();
      return;
    }
    const timespec wait{.tv_sec = 0, .tv_nsec = time.count()};
    ::nanosleep(&wait, nullptr);
  }

 private:
  Limits limits_;
  const Clock& clock_;
  TimePoint since_;
};

}  // namespace gradwire::workers
