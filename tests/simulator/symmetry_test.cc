#include "simulator/symmetry.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "simulator/bound.h"
#include "tests/simulator/plans.h"
#include "tests/simulator/rounding.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"

/// One rank for all: when it may be, and that it then gives what all ranks give.
namespace gradwire::simulator {
namespace {

using testing::algorithms;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::Topology;

bool symmetric(const std::string& algorithm, const Topology& topology, std::size_t elements) {
  return testing::fits(algorithm, topology) && is_symmetric(topology, [&](Rank rank) {
           return algorithms().at(algorithm)(topology, rank, elements);
         });
}

bool symmetric(const std::string& algorithm, const std::string& wiring, std::size_t elements) {
  return symmetric(algorithm, *make_topology(wiring), elements);
}

// Every rank does the same where every rank has the same to do.
TEST(Symmetry, WhereAllRanksDoTheSame) {
  for (const auto& [algorithm, wiring] : std::vector<std::pair<std::string, std::string>>{
           {"bml", "bcube(3,2)"},
           {"bml", "bcube(2,3)"},
           {"staged-bcube", "bcube(3,2)"},
           {"hierarchical", "bcube(3,2)"},
           {"ps", "bcube(3,2)"},
           {"ps", "single-switch(9)"},
           {"ps", "rail-only(9,2)"},
           {"ps", "torus(3,3)"},
           {"ring", "single-switch(9)"},
           {"ring(pieces=3)", "single-switch(9)"},
           {"striped-rings", "rail-only(9,2)"},
           {"halving-doubling", "bcube(2,3)"},
       }) {
    const auto topology = make_topology(wiring);
    const std::size_t unit = topology->hosts() * topology->ports_per_host();
    EXPECT_TRUE(symmetric(algorithm, *topology, 12 * unit)) << algorithm << ' ' << wiring;
    EXPECT_FALSE(symmetric(algorithm, *topology, 12 * unit + 1)) << algorithm << ' ' << wiring;
  }
}

// Inner ranks and leaves, servers and others, a Gray code's turns, a wiring without a translation.
TEST(Symmetry, WhereTheyDoNot) {
  EXPECT_FALSE(symmetric("double-tree", "single-switch(8)", 64));
  EXPECT_FALSE(symmetric("ps(servers=2)", "single-switch(8)", 64));
  EXPECT_FALSE(symmetric("ring", "bcube(3,2)", 90));
  EXPECT_FALSE(symmetric("hierarchical(groups=2)", "single-switch(8)", 64));
  EXPECT_FALSE(symmetric("halving-doubling", "single-switch(8)", 64));
  EXPECT_FALSE(symmetric("ps", "fat-tree(4)", 64));
  EXPECT_FALSE(symmetric("ring", "leaf-spine(2,2,1)", 64));
}

/// Seconds, with every rank an actor and with one for all.
struct Both {
  Outcome whole;
  Outcome folded;
};

Both simulate_both(const Topology& topology, const std::vector<Plan>& plans,
                   const NetworkModel& model) {
  return {.whole = simulate(WholeFabric(topology), plans, model),
          .folded = simulate(FoldedFabric(topology), {plans.front()}, model)};
}

/// The end of the only actor is the end of every actor.
void expect_equal(const Both& both) {
  const double end = both.folded.end_of(0);
  for (const auto& actor : both.whole.stages) {
    ASSERT_NEAR(actor.front().end, end, kRounding * end);
  }
  EXPECT_EQ(both.whole.flows, both.folded.flows * both.whole.stages.size());
}

std::vector<NetworkModel> models() {
  std::vector<NetworkModel> all;
  for (std::size_t bits = 0; bits < 8; ++bits) {
    NetworkModel model = kElementPerSecond;
    if ((bits & 1) != 0) model.alpha = 3.7;
    if ((bits & 2) != 0) model.delay = 0.61;
    if ((bits & 4) != 0) model.gamma = 0.23;
    all.push_back(model);
  }
  return all;
}

/// Of each wiring with a translation small ones, down to two hosts and sides of two.
std::vector<std::string> wirings() {
  return {"bcube(2,1)",       "bcube(2,2)",       "bcube(3,2)",     "bcube(4,2)",
          "bcube(2,3)",       "bcube(3,3)",       "bcube(2,4)",     "single-switch(2)",
          "single-switch(3)", "single-switch(8)", "rail-only(2,2)", "rail-only(5,3)",
          "rail-only(8,2)",   "torus(2,2)",       "torus(3,2)",     "torus(4,3)",
          "torus(4,4)",       "torus(5,5)",       "torus(2,2,2)",   "torus(3,3,3)",
          "torus(4,2,3)"};
}

// For every algorithm and wiring that it accepts: one rank's end is every rank's.
TEST(Symmetry, OneRankGivesWhatAllGive) {
  std::size_t accepted = 0;
  for (const std::string& wiring : wirings()) {
    const auto topology = make_topology(wiring);
    const std::size_t unit = topology->hosts() * topology->ports_per_host();
    for (const auto& [algorithm, make_plan] : algorithms()) {
      for (const std::size_t elements : {unit, 7 * unit, 7 * unit + 1, unit / 2}) {
        if (!symmetric(algorithm, *topology, elements)) continue;
        SCOPED_TRACE(algorithm + " on " + wiring + ", " + std::to_string(elements));
        ++accepted;
        const auto plans = testing::plans_of(algorithm, *topology, elements);
        for (const NetworkModel& model : models()) {
          expect_equal(simulate_both(*topology, plans, model));
        }
      }
    }
  }
  EXPECT_GT(accepted, 200u);
}

// The same for several stages, of which some begin when they are ready and some later.
TEST(Symmetry, InStagesToo) {
  for (const auto& [algorithm, wiring] : std::vector<std::pair<std::string, std::string>>{
           {"bml", "bcube(3,2)"}, {"ps", "torus(3,3)"}, {"striped-rings", "rail-only(9,2)"}}) {
    const auto topology = make_topology(wiring);
    const auto plans = testing::plans_of(algorithm, *topology, 180);
    std::vector<Stage> of_all;
    std::vector<Stage> of_one;
    for (const double ready : {1.0, 2.0, 500.0}) {
      of_all.push_back({.plans = plans, .ready = ready});
      of_one.push_back({.plans = {plans.front()}, .ready = ready});
    }
    const NetworkModel model = models().back();
    const Outcome whole = simulate(WholeFabric(*topology), of_all, model);
    const Outcome folded = simulate(FoldedFabric(*topology), of_one, model);
    for (const auto& actor : whole.stages) {
      for (std::size_t stage = 0; stage < 3; ++stage) {
        const StageTimes& expected = folded.stages[0][stage];
        EXPECT_NEAR(actor[stage].start, expected.start, kRounding * expected.start);
        EXPECT_NEAR(actor[stage].end, expected.end, kRounding * expected.end);
      }
    }
  }
}

std::vector<Plan> overlapped(std::vector<Plan> plans) {
  for (Plan& plan : plans) plan.stepping = Stepping::overlapped;
  return plans;
}

bool symmetric(const Topology& topology, const std::vector<Plan>& plans) {
  return is_symmetric(topology, [&](Rank rank) { return plans.at(rank.index()); });
}

// Nested extents: of what level 0 brings, one rank passes on the first third and waits for less
// than the rank that passes on the last. Alike in sizes and peers, and still not the same.
TEST(Symmetry, PartsThatLieElsewhereAreNotTheSame) {
  const auto topology = make_topology("bcube(3,2)");
  const auto plans = overlapped(testing::plans_of("hierarchical", *topology, 108));
  const auto both = simulate_both(*topology, plans, kElementPerSecond);
  EXPECT_GT(both.whole.end_of(0), both.folded.end_of(0) * 1.001);
  EXPECT_FALSE(symmetric(*topology, plans));
  // In order nobody waits for parts.
  EXPECT_TRUE(symmetric("hierarchical", *topology, 108));
}

// If it says so for overlapped Plans, then it is so.
TEST(Symmetry, OverlappedPlans) {
  for (const std::string& wiring : wirings()) {
    const auto topology = make_topology(wiring);
    const std::size_t elements = 12 * topology->hosts() * topology->ports_per_host();
    for (const auto& [algorithm, make_plan] : algorithms()) {
      if (!testing::fits(algorithm, *topology)) continue;
      const auto plans = overlapped(testing::plans_of(algorithm, *topology, elements));
      if (!symmetric(*topology, plans)) continue;
      SCOPED_TRACE(algorithm + " on " + wiring);
      for (const NetworkModel& model : models()) {
        expect_equal(simulate_both(*topology, plans, model));
      }
    }
  }
}

/// Two ranks that send each other a large and a small message at once, in the order given.
Lane two_messages(std::size_t other, bool sends_large_first, bool takes_large_first) {
  const Extent large{0, 9};
  const Extent small{9, 1};
  Step step;
  for (const Extent& what : {large, small}) step.sends.push_back(testing::send(other, what));
  for (const Extent& what : {large, small}) {
    step.recvs.push_back(testing::receive(other, what, Combine::add));
  }
  if (!sends_large_first) std::swap(step.sends[0], step.sends[1]);
  if (!takes_large_first) std::swap(step.recvs[0], step.recvs[1]);
  return {step};
}

// A channel's messages go in their order, so the order must be the same; that of peers need not be.
TEST(Symmetry, TheOrderOnAChannelCounts) {
  const auto topology = make_topology("single-switch(2)");
  EXPECT_TRUE(symmetric(
      *topology, testing::plans_of({two_messages(1, true, true), two_messages(0, true, true)})));
  EXPECT_FALSE(symmetric(
      *topology, testing::plans_of({two_messages(1, true, false), two_messages(0, false, true)})));
}

TEST(Symmetry, SteppingCounts) {
  const auto topology = make_topology("single-switch(4)");
  auto plans = testing::plans_of("ps", *topology, 16);
  EXPECT_TRUE(symmetric(*topology, plans));
  plans[2].stepping = Stepping::in_order;
  EXPECT_FALSE(symmetric(*topology, plans));
}

// The bound of one rank is that of all, and the wiring's own; with bursts, too.
TEST(Bound, FoldedAsWholeAsTheWirings) {
  for (const std::string& wiring : wirings()) {
    const auto topology = make_topology(wiring);
    const std::size_t unit = topology->hosts() * topology->ports_per_host();
    for (const auto& [algorithm, make_plan] : algorithms()) {
      if (!testing::fits(algorithm, *topology)) continue;
      const auto plans = testing::plans_of(algorithm, *topology, 12 * unit);
      for (const double burst : {0.0, 1.0, 7.0}) {
        const double whole = least_time(WholeFabric(*topology), plans, burst);
        EXPECT_DOUBLE_EQ(whole, topologies::least_time(*topology, plans, burst))
            << algorithm << wiring;
        if (!symmetric(algorithm, *topology, 12 * unit)) continue;
        const auto one = std::span(plans).first(1);
        const double folded = least_time(FoldedFabric(*topology), one, burst);
        EXPECT_DOUBLE_EQ(folded, whole) << algorithm << wiring;
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
