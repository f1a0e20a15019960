#include "simulator/flows.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulator/instances.h"
#include "tests/simulator/reference_flows.h"
#include "tests/simulator/rounding.h"

/// completion_times where the answer is known: by hand, by a reference, or by a symmetry.
namespace {

using namespace gradwire;
using simulator::completion_times;
using simulator::kRounding;
using simulator::TimedFlow;
using simulator::testing::Instance;
using simulator::testing::random_instance;

using Times = std::vector<double>;

/// "a is b", but for rounding, relative to b.
MATCHER(IsNearly, "") {
  const auto [actual, expected] = arg;
  return std::abs(actual - expected) <= kRounding * std::abs(expected);
}

auto nearly(const Times& expected) {
  return ::testing::Pointwise(IsNearly(), expected);
}

Times times_of(const Times& capacities, const std::vector<TimedFlow>& flows) {
  return completion_times(capacities, flows);
}

Times times_of(const Instance& instance) {
  return completion_times(instance.capacities, instance.flows);
}

TEST(Flows, NoFlows) {
  EXPECT_THAT(times_of({1}, {}), nearly({}));
}

TEST(Flows, OneHasTheLinkForItself) {
  EXPECT_THAT(times_of({50}, {{.links = {0}, .bytes = 100, .start = 3}}), nearly({5}));
}

TEST(Flows, OneIsAsFastAsItsSlowestLink) {
  EXPECT_THAT(times_of({50, 10, 20}, {{.links = {0, 1, 2}, .bytes = 100}}), nearly({10}));
}

// Both at 5 until the small one ends at 2; the large one has 40 left at 10.
TEST(Flows, TwoShareALink) {
  EXPECT_THAT(times_of({10}, {{.links = {0}, .bytes = 10}, {.links = {0}, .bytes = 50}}),
              nearly({2, 6}));
}

// Link 0 of 10 carries A and B, link 1 of 100 carries A and C. Link 0 fixes A and B at 5; C has the
// 95 that A leaves, not half of 100.
TEST(Flows, WhatTheBottleneckedLeaveGoesToTheOthers) {
  EXPECT_THAT(times_of({10, 100}, {{.links = {0, 1}, .bytes = 50},
                                   {.links = {0}, .bytes = 50},
                                   {.links = {1}, .bytes = 950}}),
              nearly({10, 10, 10}));
}

// Capacities 2 and 1: A over both and C over the second have 1/2 each, B has 3/2 of the first. At 2
// A and C end, and B has 3 of its 6 left at 2.
TEST(Flows, ThreeOnTwoLinks) {
  EXPECT_THAT(times_of({2, 1}, {{.links = {0, 1}, .bytes = 1},
                                {.links = {0}, .bytes = 6},
                                {.links = {1}, .bytes = 1}}),
              nearly({2, 3.5, 2}));
}

// A alone until 5, when 50 of its 100 are left; both at 5 until 15, when A ends; B has 50 left.
TEST(Flows, AnotherStartsHalfWay) {
  EXPECT_THAT(
      times_of({10}, {{.links = {0}, .bytes = 100}, {.links = {0}, .bytes = 100, .start = 5}}),
      nearly({15, 20}));
}

TEST(Flows, APauseBetweenFlows) {
  EXPECT_THAT(
      times_of({10}, {{.links = {0}, .bytes = 100, .start = 50}, {.links = {0}, .bytes = 100}}),
      nearly({60, 10}));
}

TEST(Flows, OneEndsWhenAnotherStarts) {
  EXPECT_THAT(
      times_of({10}, {{.links = {0}, .bytes = 50}, {.links = {0}, .bytes = 50, .start = 5}}),
      nearly({5, 10}));
}

TEST(Flows, WithoutLinksOrBytesTheyAreDoneAtTheirStartAndTakeNothing) {
  EXPECT_THAT(times_of({10}, {{.bytes = 1e9, .start = 2},
                              {.links = {0}, .bytes = 0, .start = 3},
                              {.links = {0}, .bytes = 100},
                              {.links = {0}, .bytes = 0},
                              {}}),
              nearly({2, 3, 10, 0, 0}));
}

TEST(Flows, LinksThatNobodyUsesDoNotMatter) {
  EXPECT_THAT(times_of({1, 10, 1}, {{.links = {1}, .bytes = 100}}), nearly({10}));
}

// Whatever rounding errors their company leaves them with, it leaves both the same.
TEST(Flows, EqualFlowsEndAtTheSameDouble) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Instance instance = random_instance(seed);
    const std::size_t count = instance.flows.size();
    const std::vector<TimedFlow> twins = instance.flows;
    instance.flows.insert(instance.flows.end(), twins.begin(), twins.end());
    const Times times = times_of(instance);
    for (std::size_t f = 0; f < count; ++f) {
      EXPECT_EQ(times[f], times[f + count]) << "seed " << seed << " flow " << f;
    }
  }
}

// A lane's step: nobody may be late by a rounding error. Nine links with seven flows each.
TEST(Flows, EqualFlowsOnEqualLinksEndAtTheSameDouble) {
  std::vector<TimedFlow> flows;
  for (std::size_t f = 0; f < 63; ++f) {
    flows.push_back({.links = {f / 7}, .bytes = 1e6 / 3, .start = 0.1});
  }
  const Times times = times_of(Times(9, 1e9 / 7), flows);
  EXPECT_THAT(times, ::testing::Each(times.at(0)));
}

TEST(Flows, PermutedFlowsHavePermutedTimes) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Instance instance = random_instance(seed);
    const std::size_t count = instance.flows.size();
    const auto order = simulator::testing::Draws(seed).choose(count, count);
    Instance permuted{.capacities = instance.capacities};
    for (const std::size_t f : order) permuted.flows.push_back(instance.flows[f]);
    Times expected;
    const Times times = times_of(instance);
    for (const std::size_t f : order) expected.push_back(times[f]);
    EXPECT_THAT(times_of(permuted), nearly(expected)) << "seed " << seed;
  }
}

TEST(Flows, TwiceTheCapacityIsHalfTheTime) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Instance instance = random_instance(seed);
    Times expected = times_of(instance);
    for (double& time : expected) time /= 2;
    for (double& capacity : instance.capacities) capacity *= 2;
    for (TimedFlow& flow : instance.flows) flow.start /= 2;
    EXPECT_THAT(times_of(instance), nearly(expected)) << "seed " << seed;
  }
}

// Neither bytes nor seconds have a size at which they become nothing.
TEST(Flows, AnyScale) {
  for (const double scale : {1e-15, 1e-9, 1e-3, 1e3, 1e6}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Instance instance = random_instance(seed);
      Times expected = times_of(instance);
      for (double& time : expected) time *= scale;
      for (TimedFlow& flow : instance.flows) {
        flow.bytes *= scale;
        flow.start *= scale;
      }
      EXPECT_THAT(times_of(instance), nearly(expected)) << scale << " seed " << seed;
    }
  }
}

// From 1e-9 to 1e12 bytes on one link: each step of the staircase is ten times the one before, and
// flow f waits for what all others have sent by then.
TEST(Flows, AllScalesAtOnce) {
  std::vector<TimedFlow> flows;
  for (int power = -9; power <= 12; ++power) {
    flows.push_back({.links = {0}, .bytes = std::pow(10.0, power)});
  }
  Times expected;
  double below = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto alive = static_cast<double>(flows.size() - f);
    expected.push_back((below + alive * flows[f].bytes) / 1e9);
    below += flows[f].bytes;
  }
  EXPECT_THAT(times_of({1e9}, flows), nearly(expected));
}

TEST(Flows, AsTheReferenceHasThem) {
  for (std::uint64_t seed = 1000; seed < 2000; ++seed) {
    const Instance instance = random_instance(seed);
    const Times expected = simulator::testing::reference_times(instance.capacities, instance.flows);
    EXPECT_THAT(times_of(instance), nearly(expected)) << "seed " << seed;
  }
}

}  // namespace
