#include "collectives/collective.h"

#include <gtest/gtest.h>

namespace gradwire::collectives {
namespace {

// As nccl-tests count: what the busiest NIC carries at least, in S.
TEST(BusFactor, FollowsTheCollective) {
  EXPECT_DOUBLE_EQ(bus_factor("all-reduce", 9), 16.0 / 9);
  for (const char* half : {"reduce-scatter", "all-gather", "all-to-all"}) {
    EXPECT_DOUBLE_EQ(bus_factor(half, 9), 8.0 / 9) << half;
  }
  for (const char* whole : {"broadcast", "reduce", "send"}) {
    EXPECT_DOUBLE_EQ(bus_factor(whole, 9), 1) << whole;
  }
}

TEST(Adds, WhatSumsElements) {
  for (const char* sums : {"all-reduce", "reduce", "reduce-scatter"}) EXPECT_TRUE(adds(sums));
  for (const char* moves : {"all-gather", "all-to-all", "broadcast", "send", "groups", "hybrid"}) {
    EXPECT_FALSE(adds(moves)) << moves;
  }
}

}  // namespace
}  // namespace gradwire::collectives
