#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/clock.h"

namespace gradwire::workers {

/// Feels whether this process runs: a thread sleeps for a beat at a time, and wakes up late when the
/// process is stopped, throttled, or kept from the processor. Whoever waits for this rank cannot
/// tell that from a slow network.
class Pulse {
 public:
  static constexpr Nanoseconds kBeat = std::chrono::milliseconds(25);
  /// Most that the thread may wake up late on a busy machine.
  static constexpr Nanoseconds kTolerance = std::chrono::milliseconds(35);

  /// The clock must outlive it, and may be read by several threads. Throws std::system_error when
  /// there is no thread.
  explicit Pulse(const Clock& clock);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  /// Begins to feel, from now on.
  void begin();
  /// Ends it. For how long in all the process stood still between two times after begin().
  [[nodiscard]] Nanoseconds end(TimePoint from, TimePoint to);

 private:
  struct Gap {
    TimePoint from;
    TimePoint to;
  };

  void run();
  /// Notes that the process runs now, and what it missed. Requires mutex_.
  void beat();

  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool feels_ = false;  ///< guarded by mutex_, as all below
  bool over_ = false;
  TimePoint last_{};
  std::vector<Gap> gaps_;
  std::thread thread_;
};

}  // namespace gradwire::workers
