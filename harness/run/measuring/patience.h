#pragma once

#include <cstddef>
#include <functional>

#include "core/units.h"

namespace gradwire::run {

/// Sleeps that long, in slices, between which it heeds signals. Throws Interrupted.
void pause_for(Seconds duration);

/// The pauses between attempts at measuring what a busy machine spoils for a moment: what is off in
/// all attempts, over some seconds, is off for longer.
class Patience {
 public:
  static constexpr std::size_t kAttempts = 5;
  /// Before the second attempt. Each pause after it is twice as long: 3 s in all.
  static constexpr Seconds kFirstPause{0.2};

  explicit Patience(std::function<void(Seconds)> pause = pause_for);
  /// Pauses before another attempt; does nothing and returns false when kAttempts were made. Throws
  /// what `pause` throws.
  [[nodiscard]] bool wait();

 private:
  std::function<void(Seconds)> pause_;
  Seconds next_ = kFirstPause;
  std::size_t attempts_ = 1;
};

}  // namespace gradwire::run
