#include "harness/workers/rank/pulse.h"

#include <atomic>

#include <gtest/gtest.h>

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

/// As ManualClock, for several threads.
class SharedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(Nanoseconds(now_.load())); }
  void advance(Nanoseconds by) { now_ += by.count(); }

 private:
  std::atomic<Nanoseconds::rep> now_ = 0;
};

// A beat is 25 ms, so of 325 ms without one 300 are missed, whether the thread notices or end().
TEST(Pulse, TellsForHowLongTheProcessStoodStill) {
  SharedClock clock;
  Pulse pulse(clock);
  pulse.begin();
  const TimePoint start = clock.now();
  clock.advance(325ms);
  EXPECT_EQ(pulse.end(start, clock.now()), 300ms);
}

TEST(Pulse, CountsOnlyWhatLiesBetweenTheTimes) {
  SharedClock clock;
  Pulse pulse(clock);
  pulse.begin();
  const TimePoint start = clock.now();
  clock.advance(340ms);
  EXPECT_EQ(pulse.end(start + 100ms, start + 200ms), 100ms);
}

TEST(Pulse, ForgetsWhatWasBeforeAndForgivesABusyMachine) {
  SharedClock clock;
  Pulse pulse(clock);
  pulse.begin();
  clock.advance(10s);
  pulse.begin();
  const TimePoint start = clock.now();
  clock.advance(60ms);  // the beat, and the tolerance
  EXPECT_EQ(pulse.end(start, clock.now()), 0ms);
}

}  // namespace
}  // namespace gradwire::workers
