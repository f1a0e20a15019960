#include "harness/run/measuring/patience.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "harness/workers/interrupt.h"

namespace gradwire::run {

void pause_for(Seconds duration) {
  constexpr Seconds kSlice(0.1);
  for (Seconds left = duration; left > Seconds(0); left -= kSlice) {
    workers::heed_signals();
    std::this_thread::sleep_for(std::min(left, kSlice));
  }
}

Patience::Patience(std::function<void(Seconds)> pause) : pause_(std::move(pause)) {}

bool Patience::wait() {
  if (attempts_ == kAttempts) return false;
  ++attempts_;
  pause_(std::exchange(next_, 2 * next_));
  return true;
}

}  // namespace gradwire::run
