#include "simulator/network.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/flows.h"
#include "tests/simulator/instances.h"
#include "tests/simulator/rounding.h"

/// The network alone, where completion_times cannot reach it.
namespace gradwire::simulator {
namespace {

using testing::Draws;
using ::testing::ElementsAre;
using testing::Instance;
using ::testing::Pair;

std::vector<LinkUse> flow_over(std::vector<std::uint32_t> links) {
  std::vector<LinkUse> uses;
  for (const std::uint32_t link : links) uses.push_back({.link = link});
  return uses;
}

/// What was reported, and when: of a flow's end its number, of a milestone -1 - its number.
using Reports = std::vector<std::pair<double, int>>;

/// Runs to `until` or until nothing happens any more. The end of a flow counts as the flow's.
Reports run(FluidNetwork& network, double until = kNever) {
  Reports reports;
  while (network.next_event() <= until && network.next_event() < kNever) {
    const double time = network.next_event();
    for (const FluidNetwork::Event& event : network.advance(time)) {
      const int number = static_cast<int>(event.flow);
      reports.emplace_back(time, event.done ? number : -1 - number);
    }
  }
  if (until < kNever) network.advance(until);
  return reports;
}

TEST(Network, AnEmptyOneHasNoEvents) {
  FluidNetwork network({1});
  EXPECT_EQ(network.next_event(), kNever);
  EXPECT_EQ(network.active(), 0u);
}

// 10 bytes at 1: 4 are carried when the capacity falls to 1/2, and 6 / (1/2) = 12 more seconds.
TEST(Network, ACapacityCountsFromNowOn) {
  FluidNetwork network({1});
  network.start(flow_over({0}), 10);
  EXPECT_THAT(run(network, 4), ElementsAre());
  network.set_capacity(0, 0.5);
  EXPECT_THAT(run(network), ElementsAre(Pair(16, 0)));
}

// Without capacity from 3 to 10: 7 seconds later.
TEST(Network, WithoutCapacityNothingMoves) {
  FluidNetwork network({1, 1});
  network.start(flow_over({0, 1}), 10);
  network.start(flow_over({1}), 20);
  run(network, 3);  // each at 1/2: 1.5 carried
  network.set_capacity(0, 0);
  EXPECT_THAT(run(network, 10), ElementsAre());  // the free one at 1: 8.5 carried
  network.set_capacity(0, 1);
  // 8.5 left at 1/2 end at 27, when the free one has 11.5 - 8.5 = 3 left at 1.
  EXPECT_THAT(run(network), ElementsAre(Pair(27, 0), Pair(30, 1)));
}

TEST(Network, BlockedForEverNeverEnds) {
  FluidNetwork network({0});
  network.start(flow_over({0}), 10);
  EXPECT_EQ(network.next_event(), kNever);
  EXPECT_EQ(network.active(), 1u);
}

// Milestone m of a flow alone at rate 2 is at m/2, set one after the other.
TEST(Network, MilestonesCountWhatIsCarriedInAll) {
  FluidNetwork network({2});
  const FlowId flow = network.start(flow_over({0}), 20);
  for (const double bytes : {2.0, 5.0, 12.0, 19.0}) {
    network.set_milestone(flow, bytes);
    const double time = network.next_event();
    EXPECT_DOUBLE_EQ(time, bytes / 2);
    const auto events = network.advance(time);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_FALSE(events[0].done);
  }
  EXPECT_THAT(run(network), ElementsAre(Pair(10, 0)));
}

// At rate 1 until 4, at 1/2 from then on: 4 carried, the milestone of 6 is 2 / (1/2) later.
TEST(Network, AMilestoneMovesWithTheRate) {
  FluidNetwork network({1});
  const FlowId first = network.start(flow_over({0}), 10);
  network.set_milestone(first, 6);
  run(network, 4);
  network.start(flow_over({0}), 100);
  EXPECT_THAT(run(network, 16), ElementsAre(Pair(8, -1 - static_cast<int>(first)), Pair(16, 0)));
}

TEST(Network, NumbersAreUsedAgain) {
  FluidNetwork network({1, 1});
  for (int round = 0; round < 100; ++round) {
    const FlowId a = network.start(flow_over({0, 1}), 1);
    const FlowId b = network.start(flow_over({round % 2 == 0 ? 0U : 1U}), 2);
    EXPECT_LT(a, 2u);
    EXPECT_LT(b, 2u);
    run(network);
    EXPECT_NEAR(network.now(), 3.0 * (round + 1), kRounding);
    EXPECT_EQ(network.active(), 0u);
  }
}

// A flow of `times` t on a link is t flows of one: with one more of `times` 1 it has 1/(t + 1) of
// it, and ends when t + 1 parallel flows of its size would.
TEST(Network, TimesAreAsManyFlowsAlike) {
  for (std::uint32_t times = 1; times <= 5; ++times) {
    FluidNetwork folded({1, 3});
    const LinkUse uses[] = {{.link = 0, .times = times}, {.link = 1}};
    folded.start(uses, 10);
    folded.start(flow_over({0}), 30);
    std::vector<TimedFlow> flows(times, {.links = {0}, .bytes = 10});
    flows.push_back({.links = {0}, .bytes = 30});
    const auto whole = completion_times(std::vector<double>{1}, flows);
    const Reports reports = run(folded);
    ASSERT_EQ(reports.size(), 2u);
    EXPECT_NEAR(reports[0].first, whole.front(), kRounding * whole.front());
    EXPECT_NEAR(reports[1].first, whole.back(), kRounding * whole.back());
  }
}

// Flows on link 0 and on link 1 know nothing of each other until one crosses both, and forget each
// other when it ends: each pair of equal flows shares in halves, then in thirds, then in halves.
TEST(Network, ComponentsMergeAndSplit) {
  FluidNetwork network({1, 1});
  for (const std::uint32_t link : {0U, 0U, 1U, 1U}) network.start(flow_over({link}), 20);
  run(network, 10);  // 5 of each
  const auto bridge = static_cast<int>(network.start(flow_over({0, 1}), 5));
  // The bridge's 5 at 1/3 end at 25; the others have 10 left then, and end at 25 + 20.
  const Reports reports = run(network);
  ASSERT_EQ(reports.size(), 5u);
  EXPECT_THAT(reports[0], Pair(::testing::DoubleNear(25, 1e-9), bridge));
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(reports[i].first, 45, 45 * kRounding);
}

// Networks that share no link are one network: the same times, whatever their events interleave.
TEST(Network, SideBySideIsAsAlone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Instance a = testing::random_instance(seed);
    const Instance b = testing::random_instance(seed + 1000);
    Instance both = a;
    both.capacities.insert(both.capacities.end(), b.capacities.begin(), b.capacities.end());
    for (TimedFlow flow : b.flows) {
      for (std::size_t& link : flow.links) link += a.capacities.size();
      both.flows.push_back(flow);
    }
    auto expected = completion_times(a.capacities, a.flows);
    const auto more = completion_times(b.capacities, b.flows);
    expected.insert(expected.end(), more.begin(), more.end());
    const auto times = completion_times(both.capacities, both.flows);
    for (std::size_t f = 0; f < times.size(); ++f) {
      EXPECT_NEAR(times[f], expected[f], kRounding * expected[f]) << "seed " << seed;
    }
  }
}

// A capacity that is set to what it was, and milestones, change no end.
TEST(Network, LookingOftenChangesNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Instance instance = testing::random_instance(seed);
    Draws draws(seed);
    FluidNetwork plain(instance.capacities);
    FluidNetwork disturbed(instance.capacities);
    for (const TimedFlow& flow : instance.flows) {
      std::vector<LinkUse> uses;
      for (const std::size_t link : flow.links) {
        uses.push_back({.link = static_cast<std::uint32_t>(link)});
      }
      plain.start(uses, flow.bytes);
      disturbed.set_milestone(disturbed.start(uses, flow.bytes), flow.bytes / 3);
    }
    std::map<int, double> ends;
    while (disturbed.next_event() < kNever) {
      const std::size_t link = draws.below(instance.capacities.size());
      disturbed.set_capacity(link, instance.capacities[link]);
      const double time = disturbed.next_event();
      for (const auto& event : disturbed.advance(time)) {
        if (event.done) ends[static_cast<int>(event.flow)] = time;
      }
    }
    for (const auto& [time, flow] : run(plain)) {
      EXPECT_NEAR(ends.at(flow), time, kRounding * time) << "seed " << seed;
    }
  }
}

// What ends a few units in the last place around "simultaneous" still ends, one way or the other.
TEST(Network, AtTheEdgeOfSimultaneousNothingHangs) {
  const double unit = std::ldexp(1, -52);
  for (int units = 4480; units < 4530; ++units) {  // 1e-12 is 4503.6 of them
    const double second = 1 + units * unit;
    const auto times = completion_times(
        std::vector<double>{1, 1},
        std::vector<TimedFlow>{{.links = {0}, .bytes = 1}, {.links = {1}, .bytes = second}});
    EXPECT_THAT(times, ElementsAre(1, ::testing::DoubleNear(1, 2e-12)));
  }
}

// A link of 1 B/s with a bucket of 8 bytes, full at first, and 9 times as fast while it lasts: the
// bucket loses 8 bytes per second and is empty after 1 s, when 9 bytes have passed; the other 11
// take 11 s. After a pause of 4 s it holds 4 bytes: 0.5 s for 4.5 bytes, then 5.5 s for the
// other 5.5.
TEST(Network, ABucketPassesABurstAndRefills) {
  FluidNetwork network({1});
  network.set_bursts(8, 9);
  network.start(flow_over({0}), 20);
  EXPECT_THAT(run(network), ElementsAre(Pair(::testing::DoubleNear(12, 1e-9), 0)));
  run(network, 16);
  network.start(flow_over({0}), 10);
  EXPECT_THAT(run(network), ElementsAre(Pair(::testing::DoubleNear(22, 1e-9), 0)));
}

// Two flows share the burst, and a flow that is slowed down elsewhere leaves its bucket alone.
TEST(Network, ABurstIsShared) {
  FluidNetwork network({1});
  network.set_bursts(8, 9);
  network.start(flow_over({0}), 10);
  network.start(flow_over({0}), 10);  // 4.5 bytes each in 1 s, then 1/2 B/s
  EXPECT_THAT(run(network), ElementsAre(Pair(::testing::DoubleNear(12, 1e-9), 0),
                                        Pair(::testing::DoubleNear(12, 1e-9), 1)));
}

// A flow joins while another's milestone is being set: their component ends, and with it its
// burst's end. Both still share 9 bytes in the first second and 1 B/s after it: 40 bytes take 32 s.
TEST(Network, ABurstOutlivesTheComponentItBeganIn) {
  FluidNetwork network({1});
  network.set_bursts(8, 9);
  const FlowId first = network.start(flow_over({0}), 20);
  static_cast<void>(network.next_event());
  network.start(flow_over({0}), 20);
  network.set_milestone(first, 1);
  double end = 0;
  while (network.active() > 0) {
    end = network.next_event();
    network.advance(end);
  }
  EXPECT_NEAR(end, 32, 1e-9);
}

}  // namespace
}  // namespace gradwire::simulator
