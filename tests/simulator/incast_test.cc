#include "simulator/incast.h"

#include <cstddef>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "collectives/direct.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "topologies/registry.h"

/// What a port's buffer must hold: (senders - 1) min(window, message).
namespace gradwire::simulator {
namespace {

constexpr double kWindow = 15'000;
constexpr double kBytes = 4;

double onrush_of(const Plan& plan) {
  return largest_onrush(plan, kWindow, kBytes);
}

TEST(Incast, AServerOfAllHasTheOthersAtOnce) {
  const auto wiring = topologies::make_topology("single-switch(16)");
  EXPECT_EQ(onrush_of(ps::plan(*wiring, Rank(0), 1'000'000, {.servers = 1})), 14 * kWindow);
  EXPECT_EQ(onrush_of(ps::plan(*wiring, Rank(1), 1'000'000, {.servers = 1})), 0)
      << "it hears of one server";
}

TEST(Incast, SmallMessagesAreNoWindows) {
  const auto wiring = topologies::make_topology("single-switch(16)");
  EXPECT_EQ(onrush_of(ps::plan(*wiring, Rank(0), 100, {.servers = 1})), 14 * 100 * kBytes);
}

TEST(Incast, ARingHasOneSender) {
  const auto wiring = topologies::make_topology("single-switch(16)");
  EXPECT_EQ(onrush_of(ringallreduce::plan(*wiring, Rank(3), 1'000'000)), 0);
}

// Each port hears of the n - 1 others on its switch, and both of its ports at once.
TEST(Incast, APortIsLookedAtByItself) {
  const auto wiring = topologies::make_topology("bcube(4,2)");
  EXPECT_EQ(onrush_of(bml::plan(*wiring, Rank(5), 1'600'000)), 2 * kWindow);
}

}  // namespace
}  // namespace gradwire::simulator
