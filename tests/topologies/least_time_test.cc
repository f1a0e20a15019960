#include "topologies/least_time.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

template <class MakePlan>
std::vector<Plan> plans_of(const Topology& topology, const MakePlan& make) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) plans.push_back(make(Rank(i)));
  return plans;
}

// A ring's steps all leave through one cable: 2(N-1)/N S = 16/9 * 900, and one burst off in all.
TEST(LeastTime, OfARingIsOneCablesAndTakesOneBurstOff) {
  const auto star = make_topology("single-switch(9)");
  const auto plans =
      plans_of(*star, [&](Rank rank) { return ringallreduce::plan(*star, rank, 900); });
  EXPECT_DOUBLE_EQ(least_time(*star, plans), 1600);
  EXPECT_DOUBLE_EQ(least_time(*star, plans, 30), 1570);
  EXPECT_DOUBLE_EQ(least_time(*star, plans, 1e6), 0) << "never below 0";
}

// One server: its answers wait for all pushes, which come through another direction of its cable.
// 3 S in, then 3 S out, and each direction had its own burst.
TEST(LeastTime, AddsWhatADependencyKeepsApartWithABurstOffEach) {
  const auto star = make_topology("single-switch(4)");
  const auto plans =
      plans_of(*star, [&](Rank rank) { return ps::plan(*star, rank, 100, {.servers = 1}); });
  EXPECT_DOUBLE_EQ(least_time(*star, plans), 600);
  EXPECT_DOUBLE_EQ(least_time(*star, plans, 10), 580);
}

// BML's closed form, 2 (n-1)/n S on two ports: 4/3 * 900 / 2 = 600.
TEST(LeastTime, OfBmlIsItsClosedForm) {
  const auto cube = make_topology("bcube(3,2)");
  const auto plans = plans_of(*cube, [&](Rank rank) { return bml::plan(*cube, rank, 900); });
  EXPECT_DOUBLE_EQ(least_time(*cube, plans), step_bound(*cube, plans));
  EXPECT_LT(least_time(*cube, plans, 10), step_bound(*cube, plans));
}

/// Rank 0 sends `first` elements to rank 1, which then sends elements [from, from + 50) to rank 2.
std::vector<Plan> relay(std::size_t first, std::size_t from, Stepping stepping) {
  const Peer to_0{.rank = Rank(0), .via = Port(0), .at = Port(0)};
  const Peer to_1{.rank = Rank(1), .via = Port(0), .at = Port(0)};
  const Peer to_2{.rank = Rank(2), .via = Port(0), .at = Port(0)};
  const Extent second{from, 50};
  std::vector<Plan> plans(3, Plan{.lanes = {Lane(2)}, .stepping = stepping});
  plans[0].lanes[0][0].sends = {{to_1, {0, first}}};
  plans[1].lanes[0][0].recvs = {{to_0, {0, first}, Combine::add}};
  plans[1].lanes[0][1].sends = {{to_2, second}};
  plans[2].lanes[0][1].recvs = {{to_1, second, Combine::replace}};
  return plans;
}

// A send waits for the elements that it carries, from the front, and in order for all.
TEST(LeastTime, WaitsForWhatASendNeedsAndNoMore) {
  const auto star = make_topology("single-switch(3)");
  const auto least = [&](std::size_t from, Stepping stepping) {
    return least_time(*star, relay(200, from, stepping));
  };
  EXPECT_DOUBLE_EQ(least(0, Stepping::overlapped), 200) << "50 and 50; the first link needs 200";
  EXPECT_DOUBLE_EQ(least(120, Stepping::overlapped), 220) << "after 170 elements";
  EXPECT_DOUBLE_EQ(least(300, Stepping::overlapped), 200) << "it carries nothing that came in";
  EXPECT_DOUBLE_EQ(least(0, Stepping::in_order), 250);
}

// Steps that nothing keeps apart may overlap: host 2 sends 10 elements in all, the most. Added up
// step after step they would be 16.
TEST(LeastTime, DoesNotAddStepsThatMayOverlap) {
  const auto star = make_topology("single-switch(3)");
  const auto send = [](std::size_t to, std::size_t count) {
    return Step{.sends = {{{Rank(to), Port(0), Port(0)}, {0, count}}}, .recvs = {}};
  };
  std::vector<Plan> plans(3);
  plans[0].lanes = {{send(1, 4)}, {send(2, 3), send(1, 2)}};
  plans[2].lanes = {{send(1, 1), send(0, 9)}};
  EXPECT_DOUBLE_EQ(least_time(*star, plans), 10);
  EXPECT_DOUBLE_EQ(step_bound(*star, plans), 16);
}

// 324 elements of each phase cross two uplinks, at most 216 one of them (load_test.cc); at 1.5
// times the speed they take 144. No server answers before its 11 pushes of 12 elements are in.
TEST(LeastTime, TakesTimeByTheSpeedOfTheLink) {
  const auto fast = make_topology("leaf-spine(4,3,2,speed=1.5)");
  const auto plans =
      plans_of(*fast, [&](Rank rank) { return ps::plan(*fast, rank, 12 * fast->hosts()); });
  const double least = least_time(*fast, plans);
  EXPECT_GE(least, 144 + 132);
  EXPECT_LE(least, 2 * 144);
}

}  // namespace
}  // namespace gradwire::topologies
