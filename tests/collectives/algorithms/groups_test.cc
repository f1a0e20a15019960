#include "collectives/algorithms/groups.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/collectives.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "simulator/fabric.h"
#include "simulator/simulation.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/core/mutation/brute_force.h"
#include "tests/core/mutation/mutate.h"
#include "topologies/cut.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using topologies::Topology;

constexpr double kRounding = 1e-9;

std::unique_ptr<const Topology> wiring(const std::string& name) {
  return topologies::make_topology(name);
}

/// What groups do on a wiring, proven.
struct Proven {
  Goal goal;
  std::vector<Plan> plans;
};

Proven prove(const std::string& name, const Topology& topology, std::size_t elements) {
  const Amount amount{.elements = elements};
  const NamedGroups groups(text::parse_spec(name), topology);
  const Proven proven{.goal = groups.achieves(amount).goal,
                      .plans = groups.plans(topology.hosts(), amount)};
  EXPECT_EQ(proven.plans, testing::named(name, topology).plans(amount));
  EXPECT_THAT(check_plans(proven.plans, proven.goal), IsEmpty()) << name;
  const double least = topologies::least_time(topology, proven.plans);
  EXPECT_GE(least * (1 + kRounding), topologies::cut_bound(topology, proven.goal).t_f) << name;
  return proven;
}

/// Seconds that links of an element a second take.
double time_of(const Topology& topology, std::vector<Plan> plans, double alpha = 0) {
  const simulator::NetworkModel model{.rate = sizeof(float), .alpha = alpha};
  return simulator::simulate(simulator::WholeFabric(topology), std::move(plans), model).end_of(0);
}

double time_of(const std::string& name, const std::string& wiring_name, std::size_t elements,
               double alpha = 0) {
  const auto topology = wiring(wiring_name);
  return time_of(*topology, prove(name, *topology, elements).plans, alpha);
}

bool is_power_of_two_only(const CollectiveWay& way) {
  return way.way == "halving" || way.way == "doubling";
}

// Every way that runs on groups, in rows beside a ring in columns, and the other way round. Sizes
// that divide and that do not; fewer elements than ranks.
TEST(Grids, EveryWayReachesItsGoalInRowsAndColumns) {
  struct Shape {
    const char* text;
    const char* wiring;
    bool powers;
  };
  for (const Shape& shape : {Shape{"2x2", "single-switch(4)", true},
                             {"3x3", "bcube(3,2)", false},
                             {"2x4", "bcube(2,3)", true},
                             {"3x5", "single-switch(15)", false},
                             {"4x8", "single-switch(32)", true}}) {
    const auto topology = wiring(shape.wiring);
    for (const CollectiveWay& way : collective_ways()) {
      if (way.is_of_wiring || (is_power_of_two_only(way) && !shape.powers)) continue;
      const std::string name = fmt::format("{}({})", way.collective, way.way);
      for (const std::size_t elements : {1u, 97u, 960u}) {
        prove(fmt::format("grid({}, rows={}, columns=ring)", shape.text, name), *topology,
              elements);
        prove(fmt::format("grid({}, rows=all-to-all, columns={})", shape.text, name), *topology,
              elements);
      }
    }
  }
}

TEST(Grids, OfThreeAndFourDimensionsReachTheirGoals) {
  const auto topology = wiring("fat-tree(4)");
  for (const char* name :
       {"grid(2x4x2, first=ring, second=all-to-all, third=all-gather)",
        "grid(2x4x2, first=send(to=1), second=broadcast(chain, root=2), third=reduce(root=1))",
        "grid(2x4x2, second=reduce-scatter(halving))",
        "grid(2x2x2x2, first=ring, second=ring, third=send, fourth=all-gather(bruck))"}) {
    for (const std::size_t elements : {1u, 97u, 960u}) prove(name, *topology, elements);
  }
}

TEST(Grids, EveryWayReachesItsGoalAlongEachOfThreeDimensions) {
  const auto topology = wiring("single-switch(16)");
  for (const CollectiveWay& way : collective_ways()) {
    if (way.is_of_wiring) continue;
    const std::string what = fmt::format("{}({})", way.collective, way.way);
    for (const char* form : {"grid(2x4x2, first={}, second=ring, third=all-to-all)",
                             "grid(2x4x2, first=send, second={}, third=all-gather)",
                             "grid(2x4x2, first=reduce(root=1), second=broadcast, third={})"}) {
      prove(fmt::format(fmt::runtime(form), what), *topology, 97);
    }
  }
}

TEST(Groups, OfSomeRanksLeaveTheOthersAlone) {
  const auto topology = wiring("single-switch(9)");
  const Proven one = prove("groups(ranks=8+0-2+5, run=all-gather)", *topology, 100);
  EXPECT_EQ(servers(one.goal), (std::vector{Rank(3), Rank(4), Rank(6), Rank(7)}));
  EXPECT_EQ(one.goal.begins[8], (std::vector{Extent{0, 20}})) << "the first of its group";
  const Proven two = prove("groups(ranks=0-2:4-5, run=broadcast(root=1))", *topology, 100);
  EXPECT_EQ(contributors(two.goal), (std::vector{Rank(1), Rank(5)}));
  EXPECT_EQ(two.goal.elements, 200u);
}

// Each dimension has elements of its own, in the order of the groups.
TEST(Grids, GiveEachGroupElementsOfItsOwn) {
  const auto topology = wiring("single-switch(4)");
  const Goal goal = testing::named("grid(2x2, rows=all-to-all, columns=broadcast)", *topology)
                        .goal({.elements = 10});
  EXPECT_EQ(goal.elements, 2 * 10u + 2 * 20u);  // two columns, then two rows of two ranks' 10 each
  EXPECT_EQ(goal.begins[0], (std::vector<Extent>{{0, 10}, {20, 10}}));
  EXPECT_EQ(goal.begins[3], (std::vector<Extent>{{50, 10}}));
  EXPECT_EQ(goal.ends[3], (std::vector<Extent>{{10, 10}, {45, 5}, {55, 5}}));
}

// What was changed at random is judged as running it element by element does.
TEST(Grids, MutantsAreFound) {
  const auto topology = wiring("single-switch(6)");
  mutation::Dice dice{20261123};
  for (const char* name :
       {"grid(3x2, rows=all-gather, columns=ring)", "grid(2x3, rows=all-to-all, columns=send)",
        "grid(3x2, rows=reduce(chain), columns=broadcast)",
        "groups(ranks=5+1-3, run=reduce-scatter(bruck))"}) {
    const Proven proven = prove(name, *topology, 7);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 500; ++i) {
      auto mutant = proven.plans;
      mutation::mutate(mutant, dice);
      const std::string why = mutation::why_wrong(mutant, proven.goal, 3, dice);
      ASSERT_EQ(why.empty(), check_plans(mutant, proven.goal).empty()) << name << ": " << why;
      wrong += why.empty() ? 0 : 1;
    }
    EXPECT_GT(wrong, 250u) << name << ": half of what is changed is wrong";
  }
}

// All groups share the NIC of a rank. Rings keep it busy in both directions until the last is done, so
// T = the sum over the dimensions of what a NIC carries for each: 2(n-1)/n S for an all-reduce of n
// ranks, (n-1)/n S for an all-gather or a reduce-scatter. That is bus_factor S.
TEST(Grids, TakeTheSumOfTheirDimensionsWhereTheyShareTheNic) {
  const double s = 960;
  EXPECT_NEAR(time_of("grid(4x2, rows=all-gather, columns=ring)", "single-switch(8)", 960),
              (1.0 / 2 + 2 * 3.0 / 4) * s, kRounding * s);
  EXPECT_NEAR(time_of("grid(4x8, rows=ring, columns=reduce-scatter)", "single-switch(32)", 960),
              (2 * 7.0 / 8 + 3.0 / 4) * s, kRounding * s);
  EXPECT_NEAR(time_of("grid(2x4x2, first=all-gather, second=ring, third=reduce-scatter)",
                      "single-switch(16)", 960),
              (1.0 / 2 + 2 * 3.0 / 4 + 1.0 / 2) * s, kRounding * s);
  const auto topology = wiring("single-switch(8)");
  const Algorithm grid = testing::named("grid(4x2, rows=all-gather, columns=ring)", *topology);
  EXPECT_NEAR(grid.achieves({.elements = 960}).bus_factor.value(), 2, kRounding);
}

// On BCube(4,2) a row's ranks differ in digit 0 and a column's in digit 1: each has a NIC of its own,
// so T is the longer of the two: 2 * 3/4 S, and not 3/4 S.
TEST(Grids, TakeTheLongestOfTheirDimensionsWhereEachHasANic) {
  EXPECT_NEAR(time_of("grid(4x4, rows=all-gather, columns=ring)", "bcube(4,2)", 960),
              2 * 3.0 / 4 * 960, kRounding * 960);
}

// Groups that share no rank share no cable of a switch: T = (n-1)(alpha + S/n) of an all-gather in each.
TEST(Grids, TakeTheTimeOfOneGroupWhereGroupsShareNothing) {
  const double alpha = 3;
  EXPECT_NEAR(time_of("grid(4x2, columns=all-gather)", "single-switch(8)", 960, alpha),
              3 * (alpha + 240), kRounding * 960);
  EXPECT_NEAR(time_of("groups(ranks=0-3:4-7, run=all-gather)", "single-switch(8)", 960, alpha),
              3 * (alpha + 240), kRounding * 960);
  EXPECT_NEAR(time_of("groups(ranks=1+3+5+7, run=ring)", "single-switch(8)", 960, alpha),
              6 * (alpha + 240), kRounding * 960);
}

// A pairwise all-to-all sends to one partner after the other, whatever the ring beside it may overlap.
TEST(Grids, EveryLaneStepsAsItsWayDoes) {
  const auto topology = wiring("single-switch(8)");
  const Plan plan = testing::named("grid(4x2, rows=all-to-all, columns=ring)", *topology)
                        .plan(Rank(0), {.elements = 960});
  ASSERT_EQ(plan.lanes.size(), 2u);
  EXPECT_EQ(plan.stepping_of(0), Stepping::overlapped);
  EXPECT_EQ(plan.stepping_of(1), Stepping::one_by_one);
}

// On two leaves of four with one uplink each, columns cross and rows do not: S leaves each leaf for each
// of the four columns, which are of two ranks, and as much enters it.
TEST(Grids, TheCutIsOfAllGroupsTogether) {
  const auto topology = wiring("leaf-spine(2,4,1)");
  const Proven proven = prove("grid(2x4, rows=all-gather, columns=ring)", *topology, 960);
  const topologies::CutBound cut = topologies::cut_bound(*topology, proven.goal);
  EXPECT_NEAR(cut.t_f, 4 * 960, kRounding * 960);
  EXPECT_GE(time_of(*topology, proven.plans) * (1 + kRounding), cut.t_f);
}

std::string refusal(const char* name, const char* wiring_name) {
  const auto topology = wiring(wiring_name);
  try {
    static_cast<void>(testing::named(name, *topology).proven_plans({.elements = 90}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A name, and what its refusal on bcube(3,2) says.
struct Refused {
  const char* name;
  const char* why;
};

void expect_refused(std::span<const Refused> all) {
  for (const Refused& one : all) {
    EXPECT_THAT(refusal(one.name, "bcube(3,2)"), HasSubstr(one.why)) << one.name;
  }
}

TEST(Grids, RefuseWhatDoesNotFit) {
  constexpr auto kRefused = std::to_array<Refused>({
      {"grid(4x2, rows=ring)", "grid(4x2) has 8 ranks, and bcube(3,2) has 9"},
      {"grid(9, rows=ring)", "has 1 dimensions"},
      {"grid(9x1, rows=ring)", "'1' is not a number of ranks"},
      {"grid(3xx3, rows=ring)", "is not a number of ranks"},
      {"grid(rows=ring)", "grid takes its shape first"},
      {"grid(3x3, 3x3x1, rows=ring)", "grid takes its shape first"},
      {"grid(3x3)", "nothing runs"},
      {"grid(3x3, rows=ring, second=ring)", "second says again"},
      {"grid(3x3, third=ring)", "there is no third dimension of 2"},
      {"grid(3x3, planes=ring)", "unknown option 'planes'"},
      {"grid(3x3, rows=ps)", "rows=ps: a group runs ring or a collective"},
      {"grid(3x3, rows=ring(pieces=2))", "a group runs ring or a collective"},
      {"grid(3x3, rows=plan(a.json))", "a group runs ring or a collective"},
      {"grid(3x3, rows=all-gather(bml))", "needs the whole wiring"},
      {"grid(3x3, rows=all-gather(hierarchical))", "needs the whole wiring"},
      {"grid(3x3, columns=all-to-all(bcube))", "needs the whole wiring"},
      {"grid(3x3, rows=all-gather(tree))", "unknown option 'tree'"},
      {"grid(3x3, rows=broadcast(root=3))", "a group of 3 has no rank 3"},
      {"grid(3x3, rows=all-gather(doubling))", "a power of two"},
  });
  expect_refused(kRefused);
  EXPECT_THAT(refusal("grid(2x3x3, rows=ring)", "single-switch(18)"),
              HasSubstr("rows are of two dimensions"));
  EXPECT_THAT(refusal("grid(17x17, rows=ring)", "bcube(17,2)"),
              HasSubstr("289 hosts; 256 at most"));
}

TEST(Groups, RefuseWhatDoesNotFit) {
  constexpr auto kRefused = std::to_array<Refused>({
      {"groups(ranks=0-3)", "groups takes both"},
      {"groups(run=ring)", "groups takes both"},
      {"groups(ranks=0-9, run=ring)", "bcube(3,2) has no rank 9"},
      {"groups(ranks=0-3+2, run=ring)", "rank 2 is named twice"},
      {"groups(ranks=0-3:3-4, run=ring)", "rank 3 is named twice"},
      {"groups(ranks=0-3:5, run=ring)", "5 is one rank"},
      {"groups(ranks=3-0, run=ring)", "runs backwards"},
      {"groups(ranks=0-1-2, run=ring)", "is not a run such as 0-3"},
      {"groups(ranks=a, run=ring)", "'a' is not a rank"},
  });
  expect_refused(kRefused);
  EXPECT_EQ(refusal("groups(ranks=0-8, run=all-gather(bml))", "bcube(3,2)"), "") << "all of them";
}

}  // namespace
}  // namespace gradwire::algorithms
