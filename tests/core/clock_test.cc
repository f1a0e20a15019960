#include "core/clock.h"

#include <gtest/gtest.h>

namespace gradwire {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, PassesWhenItsClockReachesIt) {
  ManualClock clock;
  const Deadline deadline(clock, 10ms);
  EXPECT_EQ(deadline.left(), 10ms);
  clock.advance(10ms - 1ns);
  EXPECT_FALSE(deadline.passed());
  EXPECT_EQ(deadline.left(), 1ns);
  clock.advance(1ns);
  EXPECT_TRUE(deadline.passed());
}

TEST(Deadline, TimeLeftIsNeverNegative) {
  ManualClock clock;
  const Deadline deadline(clock, 1us);
  clock.advance(1h);
  EXPECT_EQ(deadline.left(), 0ns);
}

TEST(SteadyClock, NeverRunsBackwards) {
  const SteadyClock clock;
  const TimePoint first = clock.now();
  EXPECT_LE(first, clock.now());
}

}  // namespace
}  // namespace gradwire
