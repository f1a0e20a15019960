#pragma once

#include <chrono>

#include "core/units.h"

namespace gradwire {

/// A reading of the monotonic clock. Comparable between processes of one machine.
using TimePoint = std::chrono::steady_clock::time_point;

/// The only source of time. Everything that measures or waits takes one, so that tests can drive
/// it.
class Clock {
 public:
  virtual ~Clock() = default;
  /// The time now, never earlier than an earlier result. Thread-safe, except in ManualClock.
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The machine's CLOCK_MONOTONIC.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
};

/// A clock that stands still until `advance` is called.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  /// Moves the time on. Must not run while another thread reads it.
  void advance(Nanoseconds by) { now_ += by; }

 private:
  TimePoint now_{};
};

/// A moment after which a wait must give up.
class Deadline {
 public:
  /// A deadline `after` from the clock's now. The clock must outlive the deadline.
  Deadline(const Clock& clock, Nanoseconds after) : clock_(&clock), at_(clock.now() + after) {}

  /// Whether the deadline has passed.
  [[nodiscard]] bool passed() const { return clock_->now() >= at_; }
  /// Time left, never negative.
  [[nodiscard]] Nanoseconds left() const;
  /// Moves the deadline `by` later.
  void extend(Nanoseconds by) { at_ += by; }
  /// The moment at which the deadline passes.
  [[nodiscard]] TimePoint at() const { return at_; }

 private:
  const Clock* clock_;
  TimePoint at_;
};

}  // namespace gradwire
