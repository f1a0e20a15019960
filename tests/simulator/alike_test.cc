#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "simulator/symmetry.h"
#include "tests/simulator/plans.h"

/// The guard over what algorithms say of themselves: which ranks it looks at, and what it sees.
namespace gradwire::simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::make_topology;
using testing::Topology;

std::vector<std::size_t> guarded(const Topology& topology) {
  std::vector<std::size_t> numbers;
  for (const Rank rank : guarded_ranks(*topology.translation())) numbers.push_back(rank.index());
  return numbers;
}

// One step in each digit, a third, half, the last: of N = 1024; 4096 = 16^3; 4 x 2 x 3; two hosts.
TEST(Alike, GuardedRanks) {
  EXPECT_THAT(guarded(*make_topology("single-switch(1024)")), ElementsAre(1, 341, 512, 1023));
  EXPECT_THAT(guarded(*make_topology("bcube(16,3)")), ElementsAre(1, 16, 256, 1365, 2048, 4095));
  EXPECT_THAT(guarded(*make_topology("torus(4,2,3)")), ElementsAre(1, 4, 8, 12, 23));
  EXPECT_THAT(guarded(*make_topology("single-switch(2)")), ElementsAre(1));
}

/// An algorithm of which somebody says that all ranks are alike, and one is not: what it sends first
/// is one element longer.
PlanOf lie(const std::string& algorithm, const Topology& topology, std::size_t odd) {
  return [&topology, odd, make_plan = testing::algorithms().at(algorithm)](Rank rank) {
    Plan plan = make_plan(topology, rank, 12 * topology.hosts() * topology.ports_per_host());
    if (rank == Rank(odd)) ++plan.lanes.front().front().sends.front().what.count;
    return plan;
  };
}

struct AlikeCase {
  std::string algorithm;
  std::string wiring;
};
const std::vector<AlikeCase> kCases{{"ring", "single-switch(9)"},
                                    {"ps", "torus(4,2,3)"},
                                    {"bml", "bcube(3,2)"},
                                    {"striped-rings", "rail-only(9,2)"}};

// Caught at every guarded place. Elsewhere only the comparison of all ranks sees it.
TEST(Alike, ALieIsCaughtAtGuardedRanksAndNowhereElse) {
  for (const auto& [algorithm, wiring] : kCases) {
    const auto topology = make_topology(wiring);
    const std::vector<std::size_t> places = guarded(*topology);
    for (std::size_t odd = 1; odd < topology->hosts(); ++odd) {
      SCOPED_TRACE(algorithm + " on " + wiring + ", rank " + std::to_string(odd));
      const PlanOf plan_of = lie(algorithm, *topology, odd);
      EXPECT_FALSE(is_symmetric(*topology, plan_of));
      std::string message;
      try {
        check_alike(*topology, plan_of);
      } catch (const InternalError& error) {
        message = error.what();
      }
      if (std::ranges::find(places, odd) != places.end()) {
        EXPECT_THAT(message, HasSubstr("rank " + std::to_string(odd) + " does not"));
      } else {
        EXPECT_EQ(message, "");
      }
    }
  }
}

// The first rank is the measure of all, so when it is the odd one, every other differs from it.
TEST(Alike, ALieAboutRankZeroIsCaught) {
  for (const auto& [algorithm, wiring] : kCases) {
    const auto topology = make_topology(wiring);
    EXPECT_THROW(check_alike(*topology, lie(algorithm, *topology, 0)), InternalError);
  }
}

TEST(Alike, TheTruthPasses) {
  for (const auto& [algorithm, wiring] : kCases) {
    const auto topology = make_topology(wiring);
    EXPECT_NO_THROW(check_alike(*topology, lie(algorithm, *topology, topology->hosts())));
  }
}

// It makes as many Plans as it says, however many ranks there are.
TEST(Alike, MakesFewPlans) {
  const auto topology = make_topology("single-switch(1024)");
  std::size_t made = 0;
  check_alike(*topology, [&](Rank rank) {
    ++made;
    return ringallreduce::plan(*topology, rank, 1024);
  });
  EXPECT_EQ(made, 5u);
}

TEST(Alike, NeedsATranslation) {
  const auto topology = make_topology("fat-tree(4)");
  EXPECT_THROW(check_alike(*topology, lie("ps", *topology, 3)), InternalError);
}

}  // namespace
}  // namespace gradwire::simulator
