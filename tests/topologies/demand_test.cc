#include "topologies/demand.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/cut.h"
#include "topologies/registry.h"

/// What goals force through cuts: sums made by hand, closed forms, and every choice of who sends.
namespace gradwire::topologies {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Four ranks in the groups {0, 1} and {2, 3}; 12 elements, parts of 3.
TEST(Demand, CountsCrossingsBetweenGroups) {
  const std::size_t group_of[] = {0, 0, 2, 2};
  const auto between = [&](const Goal& goal) { return Demand(goal).between(group_of); };
  EXPECT_EQ(between(all_reduce(4, 12)), 24);
  EXPECT_EQ(between(reduce_scatter(equal_parts(4, 12))), 12);
  EXPECT_EQ(between(all_gather(equal_parts(4, 12))), 12);
  EXPECT_EQ(between(broadcast(4, 12, Rank(1))), 12);
  EXPECT_EQ(between(reduce(4, 12, Rank(1))), 12);
  EXPECT_EQ(between(all_to_all(4, std::size_t{16})), 8);
  EXPECT_EQ(between(for_group(send(12), {Rank(1), Rank(2)}, 4)), 12);
  EXPECT_EQ(between(for_group(send(12), {Rank(1), Rank(0)}, 4)), 0);
}

// Out of the set of ranks 0 and 1, or into it, whichever is more; and of each rank by itself.
TEST(Demand, CountsWhatLeavesOrEntersASet) {
  const std::vector<bool> inside{true, true, false, false};
  const std::size_t each[] = {0, 1, 2, 3};
  const Goal gather = all_gather(equal_parts(4, 12));
  EXPECT_EQ(Demand(gather).of_set(inside), 6);
  EXPECT_THAT(Demand(gather).of_each(each), ElementsAre(9, 9, 9, 9));
  EXPECT_EQ(Demand(all_reduce(4, 12)).of_set(inside), 12);
  EXPECT_EQ(Demand(all_to_all(4, std::size_t{16})).of_set(inside), 4);
  const std::size_t counts[] = {0, 7, 1, 0};  // 0 sends 7 to 1, and 1 sends 1 to 0
  EXPECT_EQ(Demand(all_to_all(2, counts)).of_set({true, false}), 7);
  EXPECT_EQ(Demand(broadcast(4, 12, Rank(3))).of_set(inside), 12);
  EXPECT_EQ(Demand(for_group(send(12), {Rank(2), Rank(3)}, 4)).of_set(inside), 0);
}

/// The least crossings there can be of one element: some group g holds the sum first, every other
/// beginning group has sent before, and every other ending group receives after.
std::size_t fewest(unsigned begins, unsigned ends) {
  if (begins == 0 || ends == 0) return 0;
  std::size_t best = 100;
  for (unsigned g = 0; g < 5; ++g) {
    const auto others = ~(1U << g);
    best = std::min<std::size_t>(best, static_cast<std::size_t>(std::popcount(begins & others)) +
                                           static_cast<std::size_t>(std::popcount(ends & others)));
  }
  return best;
}

// Every set of beginners and enders of one element, each rank a group of its own.
TEST(Demand, IsTheLeastOfAllFirstHolders) {
  for (unsigned begins = 0; begins < 32; ++begins) {
    for (unsigned ends = 0; ends < 32; ++ends) {
      Goal goal{.elements = 1, .begins = Parts(5), .ends = Parts(5)};
      for (unsigned rank = 0; rank < 5; ++rank) {
        if ((begins >> rank & 1) != 0) goal.begins[rank] = {{0, 1}};
        if ((ends >> rank & 1) != 0) goal.ends[rank] = {{0, 1}};
      }
      const std::size_t each[] = {0, 1, 2, 3, 4};
      EXPECT_EQ(Demand(goal).between(each), fewest(begins, ends)) << begins << ' ' << ends;
    }
  }
}

// What hosts of one NIC cannot beat: 2(N-1)/N, (N-1)/N or 1 of S; of an all-to-all a row is S.
TEST(CutBoundOfAGoal, IsTheClosedFormOfOneNic) {
  for (std::size_t n = 2; n <= 16; ++n) {
    const auto topology = make_topology("single-switch(" + std::to_string(n) + ")");
    const std::size_t s = 12 * n * n;
    const auto bound = [&](const Goal& goal) { return cut_bound(*topology, goal).t_f; };
    const double share = static_cast<double>(s * (n - 1)) / static_cast<double>(n);
    EXPECT_THAT(bound(all_reduce(n, s)), DoubleEq(2 * share));
    EXPECT_THAT(bound(reduce_scatter(equal_parts(n, s))), DoubleEq(share));
    EXPECT_THAT(bound(all_gather(equal_parts(n, s))), DoubleEq(share));
    EXPECT_THAT(bound(broadcast(n, s, Rank(0))), DoubleEq(static_cast<double>(s)));
    EXPECT_THAT(bound(reduce(n, s, Rank(0))), DoubleEq(static_cast<double>(s)));
    EXPECT_THAT(bound(all_to_all(n, s)), DoubleEq(share / static_cast<double>(n)));
  }
}

TEST(CutBoundOfAGoal, IsThatOfAnAllReduceTimesItsElements) {
  for (const char* name : {"bcube(3,2)", "fat-tree(4)", "leaf-spine(4,8,1,speed=0.5)",
                           "rail-optimised(2,4,2,1,speed=0.5)", "torus(4,3)"}) {
    const auto topology = make_topology(name);
    const CutBound goal = cut_bound(*topology, all_reduce(topology->hosts(), 1000));
    EXPECT_THAT(goal.t_f, DoubleEq(1000 * cut_bound(*topology).t_f)) << name;
    EXPECT_EQ(goal.cut, cut_bound(*topology).cut);
  }
}

// All-to-all on BCube(n,k): blocks cross k(n-1)/n digits on average, over N k NICs: (n-1)/n of a row.
TEST(CutBoundOfAGoal, CountsWhatHostsRelay) {
  const auto bcube = make_topology("bcube(3,2)");
  EXPECT_THAT(cut_bound(*bcube, all_to_all(9, std::size_t{81 * 10})).t_f, DoubleEq(90 * 2.0 / 3));
  // A ring of four is 0, 1, 2 or 1 cables long: on average 2 in two dimensions, over 4 NICs a host.
  const auto torus = make_topology("torus(4,4)");
  const CutBound bound = cut_bound(*torus, all_to_all(16, std::size_t{256 * 10}));
  EXPECT_THAT(bound.t_f, DoubleEq(160 * 2.0 / 4));
  EXPECT_THAT(bound.cut, HasSubstr("relay"));
  const auto one = make_topology("bcube(5,1)");
  EXPECT_EQ(cut_bound(*one, all_to_all(5, std::size_t{25})).cut, "each host's NICs");
}

// Over one uplink of half speed per leaf: 4 leaves of 8, an all-to-all's row of 32 sends 24 away.
TEST(CutBoundOfAGoal, SeesNarrowUplinks) {
  const auto topology = make_topology("leaf-spine(4,8,1,speed=0.5)");
  const CutBound bound = cut_bound(*topology, all_to_all(32, std::size_t{32 * 32}));
  EXPECT_THAT(bound.t_f, DoubleEq(8 * 24 / 0.5));
  EXPECT_THAT(bound.cut, HasSubstr("below tier leaf"));
}

}  // namespace
}  // namespace gradwire::topologies
