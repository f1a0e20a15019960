#include "simulator/buckets.h"

#include <limits>

#include <gtest/gtest.h>

/// The buckets alone. tests/simulator/network_test.cc has flows that empty them.
namespace gradwire::simulator {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// 10 bytes, of which a burst at 3 B/s uses 2 a second up. From 2 to 7 the link is down: what is in
// the bucket stays, and what was used until then was used at the old capacity.
TEST(TokenBuckets, ACapacityCountsFromNowOn) {
  const double capacities[] = {1};
  TokenBuckets buckets(capacities, 10, 3);
  EXPECT_EQ(buckets.pass(0, 0), 3);
  buckets.set_usage(0, 3, 0);
  EXPECT_EQ(buckets.next(), 5);
  buckets.set_capacity(0, 0, 2);
  EXPECT_EQ(buckets.pass(0, 2), 0);
  buckets.set_usage(0, 0, 2);
  EXPECT_EQ(buckets.next(), kNone);
  buckets.set_capacity(0, 1, 7);
  EXPECT_EQ(buckets.pass(0, 7), 3);
  buckets.set_usage(0, 3, 7);
  EXPECT_EQ(buckets.next(), 10);
}

}  // namespace
}  // namespace gradwire::simulator
