#include "core/goal.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan_check.h"

/// What each goal says, element by element, and one Plan that the checker proves for each.
namespace gradwire {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Extent kAll{0, 10};

Peer peer(std::size_t rank) {
  return {Rank(rank), Port(0), Port(0)};
}

/// One lane of one step for each rank.
std::vector<Plan> in_one_step(std::vector<Step> steps) {
  std::vector<Plan> plans;
  for (Step& step : steps) plans.push_back({.lanes = {{std::move(step)}}});
  return plans;
}

// Those of the second stand behind those of the first.
TEST(GoalsBeside, HaveElementsOfTheirOwn) {
  const std::vector<Goal> goals{for_group(broadcast(2, 10, Rank(0)), {Rank(2), Rank(0)}, 3),
                                all_reduce(3, 5)};
  const Goal goal = beside(goals);
  EXPECT_EQ(goal.elements, 15u);
  EXPECT_THAT(goal.begins[2], ElementsAre(Extent{0, 10}, Extent{10, 5}));
  EXPECT_THAT(goal.begins[0], ElementsAre(Extent{10, 5}));
  EXPECT_THAT(goal.ends[0], ElementsAre(Extent{0, 10}, Extent{10, 5}));
  EXPECT_THAT(goal.ends[1], ElementsAre(Extent{10, 5}));
  EXPECT_TRUE(has_sums(goal));
  EXPECT_FALSE(has_sums(goals.front()));
  EXPECT_FALSE(has_sums(all_to_all(3, 9)));
}

TEST(AllReduce, EveryRankBeginsAndEndsWithEverythingButServers) {
  const Rank server(1);
  const Goal goal = all_reduce(3, 10, {&server, 1});
  EXPECT_THAT(contributors(goal), ElementsAre(Rank(0), Rank(2)));
  EXPECT_THAT(servers(goal), ElementsAre(Rank(1)));
  EXPECT_THAT(goal.ends[2], ElementsAre(Extent{0, 10}));
  EXPECT_THAT(goal.ends[1], IsEmpty());
}

// Of no elements everybody still contributes what there is: an empty extent.
TEST(AllReduce, OfNothingHasItsContributors) {
  EXPECT_THAT(contributors(all_reduce(2, 0)), ElementsAre(Rank(0), Rank(1)));
  EXPECT_THAT(check_plans(std::vector<Plan>(2), 0), IsEmpty());
  EXPECT_THAT(contributors(reduce_scatter(equal_parts(2, 0))), ElementsAre(Rank(0), Rank(1)));
}

TEST(Parts, LieSideBySideInTheOrderOfTheRanks) {
  const std::size_t sizes[] = {3, 0, 7};
  EXPECT_THAT(parts_of(sizes), ElementsAre(ElementsAre(Extent{0, 3}), ElementsAre(Extent{3, 0}),
                                           ElementsAre(Extent{3, 7})));
  EXPECT_THAT(equal_parts(3, 10), ElementsAre(ElementsAre(Extent{0, 4}), ElementsAre(Extent{4, 3}),
                                              ElementsAre(Extent{7, 3})));
}

TEST(Bounds, AreThoseOfAllExtentsEachOnce) {
  const std::size_t sizes[] = {3, 0, 7};
  EXPECT_THAT(bounds_of(reduce_scatter(parts_of(sizes))), ElementsAre(0, 3, 10));
  EXPECT_THAT(bounds_of(all_reduce(2, 0)), ElementsAre(0));
}

TEST(ReduceScatter, EveryRankBeginsWithAllAndEndsWithItsPart) {
  const Goal goal = reduce_scatter(equal_parts(2, 10));
  EXPECT_EQ(goal.elements, 10u);
  EXPECT_THAT(goal.begins, Each(ElementsAre(kAll)));
  EXPECT_THAT(goal.ends, ElementsAre(ElementsAre(Extent{0, 5}), ElementsAre(Extent{5, 5})));
  const auto plans =
      in_one_step({{.sends = {{peer(1), {5, 5}}}, .recvs = {{peer(1), {0, 5}, Combine::add}}},
                   {.sends = {{peer(0), {0, 5}}}, .recvs = {{peer(0), {5, 5}, Combine::add}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
  EXPECT_THAT(check_plans(plans, all_reduce(2, 10)),
              ElementsAre(HasSubstr("rank 0: [5, 10) ends without rank 1's contribution"),
                          HasSubstr("rank 1: [0, 5) ends without rank 0's contribution")));
}

// Parts need not be one extent each, nor lie in the order of the ranks (BML's do not).
TEST(ReduceScatter, TakesPartsThatLieAnywhere) {
  const Goal goal = reduce_scatter({{{2, 2}, {6, 4}}, {{0, 2}, {4, 2}}});
  EXPECT_THAT(goal.begins, Each(ElementsAre(kAll)));
  const auto plans =
      in_one_step({{.sends = {{peer(1), {0, 2}}, {peer(1), {4, 2}}},
                    .recvs = {{peer(1), {2, 2}, Combine::add}, {peer(1), {6, 4}, Combine::add}}},
                   {.sends = {{peer(0), {2, 2}}, {peer(0), {6, 4}}},
                    .recvs = {{peer(0), {0, 2}, Combine::add}, {peer(0), {4, 2}, Combine::add}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
}

TEST(AllGather, EveryRankBeginsWithItsPartAndEndsWithAll) {
  const std::size_t sizes[] = {3, 7};
  const Goal goal = all_gather(parts_of(sizes));
  EXPECT_THAT(goal.begins, ElementsAre(ElementsAre(Extent{0, 3}), ElementsAre(Extent{3, 7})));
  EXPECT_THAT(goal.ends, Each(ElementsAre(kAll)));
  const auto plans =
      in_one_step({{.sends = {{peer(1), {0, 3}}}, .recvs = {{peer(1), {3, 7}, Combine::replace}}},
                   {.sends = {{peer(0), {3, 7}}}, .recvs = {{peer(0), {0, 3}, Combine::replace}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
}

TEST(Broadcast, TheRootBeginsAndEveryRankEnds) {
  const Goal goal = broadcast(2, 10, Rank(1));
  EXPECT_THAT(goal.begins, ElementsAre(IsEmpty(), ElementsAre(kAll)));
  EXPECT_THAT(goal.ends, Each(ElementsAre(kAll)));
  const auto plans =
      in_one_step({{.recvs = {{peer(1), kAll, Combine::replace}}}, {.sends = {{peer(0), kAll}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
  EXPECT_THAT(check_plans(plans, all_reduce(2, 10)),
              Contains(HasSubstr("ends without rank 0's contribution")));
  EXPECT_THROW(static_cast<void>(broadcast(2, 10, Rank(2))), InternalError);
}

TEST(Reduce, EveryRankBeginsAndTheRootEnds) {
  const Goal goal = reduce(2, 10, Rank(1));
  EXPECT_THAT(goal.begins, Each(ElementsAre(kAll)));
  EXPECT_THAT(goal.ends, ElementsAre(IsEmpty(), ElementsAre(kAll)));
  const auto plans =
      in_one_step({{.sends = {{peer(1), kAll}}}, {.recvs = {{peer(0), kAll, Combine::add}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
}

// counts: 0 -> 0, 0 -> 1, 1 -> 0, 1 -> 1. What stays needs no transfer.
TEST(AllToAll, BlocksLieByTheirSender) {
  const std::size_t counts[] = {1, 2, 3, 4};
  const Goal goal = all_to_all(2, counts);
  EXPECT_EQ(goal.elements, 10u);
  EXPECT_THAT(goal.begins, ElementsAre(ElementsAre(Extent{0, 3}), ElementsAre(Extent{3, 7})));
  EXPECT_THAT(goal.ends, ElementsAre(ElementsAre(Extent{0, 1}, Extent{3, 3}),
                                     ElementsAre(Extent{1, 2}, Extent{6, 4})));
  const auto plans =
      in_one_step({{.sends = {{peer(1), {1, 2}}}, .recvs = {{peer(1), {3, 3}, Combine::replace}}},
                   {.sends = {{peer(0), {3, 3}}}, .recvs = {{peer(0), {1, 2}, Combine::replace}}}});
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
  EXPECT_THROW(static_cast<void>(all_to_all(3, counts)), InternalError);
}

// A pair may have nothing for each other; equal blocks differ by an element at most.
TEST(AllToAll, LeavesOutEmptyBlocksAndCutsEqualOnes) {
  const std::size_t counts[] = {0, 2, 0, 0};
  EXPECT_THAT(all_to_all(2, counts).ends, ElementsAre(IsEmpty(), ElementsAre(Extent{0, 2})));
  const Goal equal = all_to_all(2, std::size_t{10});
  EXPECT_THAT(equal.begins, ElementsAre(ElementsAre(Extent{0, 5}), ElementsAre(Extent{5, 5})));
  EXPECT_THAT(equal.ends, ElementsAre(ElementsAre(Extent{0, 3}, Extent{5, 3}),
                                      ElementsAre(Extent{3, 2}, Extent{8, 2})));
}

TEST(SendGoal, GoesFromRankZeroToRankOne) {
  const auto plans =
      in_one_step({{.sends = {{peer(1), kAll}}}, {.recvs = {{peer(0), kAll, Combine::replace}}}});
  EXPECT_THAT(check_plans(plans, send(10)), IsEmpty());
  EXPECT_THAT(check_plans(std::vector<Plan>(2), send(10)),
              ElementsAre("rank 1: [0, 10) ends without rank 0's contribution: holds those of "
                          "nobody, lacks those of rank 0"));
}

// Ranks 3 and 1 of four, in this order: rank 3 is the group's rank 0, and sends.
TEST(ForGroup, LeavesTheOthersOut) {
  const Goal goal = for_group(send(10), {Rank(3), Rank(1)}, 4);
  EXPECT_THAT(contributors(goal), ElementsAre(Rank(3)));
  EXPECT_THAT(servers(goal), ElementsAre(Rank(0), Rank(2)));
  std::vector<Plan> plans(4);
  plans[3].lanes = {{Step{.sends = {{peer(1), kAll}}}}};
  plans[1].lanes = {{Step{.recvs = {{peer(3), kAll, Combine::replace}}}}};
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
  EXPECT_THROW(static_cast<void>(for_group(send(10), {Rank(1), Rank(1)}, 4)), InternalError);
  EXPECT_THROW(static_cast<void>(for_group(send(10), {Rank(1), Rank(4)}, 4)), InternalError);
}

// A reduction of the upper half at rank 1: what the goal leaves out may end in any state.
TEST(CheckPlans, LooksOnlyAtWhatMustEndWhole) {
  const auto plans =
      in_one_step({{.sends = {{peer(1), {5, 5}}}}, {.recvs = {{peer(0), {5, 5}, Combine::add}}}});
  const Goal upper{.elements = 10, .begins = {{{0, 10}}, {{0, 10}}}, .ends = {{}, {{5, 5}}}};
  EXPECT_THAT(check_plans(plans, upper), IsEmpty());
  const Goal lower{.elements = 10, .begins = {{{0, 10}}, {{0, 10}}}, .ends = {{}, {{3, 5}}}};
  EXPECT_THAT(check_plans(plans, lower), Contains(HasSubstr("[3, 5) ends without rank 0's")));
}

}  // namespace
}  // namespace gradwire
