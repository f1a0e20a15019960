#include "harness/workers/rank/pulse.h"

#include <algorithm>

namespace gradwire::workers {

Pulse::Pulse(const Clock& clock) : clock_(clock), thread_(&Pulse::run, this) {}

Pulse::~Pulse() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Pulse::begin() {
  {
    const std::scoped_lock lock(mutex_);
    gaps_.clear();
    last_ = clock_.now();
    feels_ = true;
  }
  changed_.notify_all();
}

Nanoseconds Pulse::end(TimePoint from, TimePoint to) {
  const std::scoped_lock lock(mutex_);
  beat();  // the thread may not have woken up yet from what is to be told
  feels_ = false;
  Nanoseconds still = Nanoseconds::zero();
  for (const Gap& gap : gaps_) {
    still += std::max(Nanoseconds::zero(), std::min(gap.to, to) - std::max(gap.from, from));
  }
  return still;
}

void Pulse::run() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (feels_) {
      changed_.wait_for(lock, kBeat);
      if (feels_) beat();
    } else {
      changed_.wait(lock);
    }
  }
}

void Pulse::beat() {
  const TimePoint now = clock_.now();
  const TimePoint due = last_ + kBeat;
  if (now - due > kTolerance) gaps_.push_back({.from = due, .to = now});
  last_ = now;
}

}  // namespace gradwire::workers
