#include "core/plan_check.h"

#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Every test breaks one thing in a Plan that is known to be right, and expects exactly that
/// finding.
namespace gradwire {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kElements = 10;

Peer checked_peer(std::size_t rank) {
  return {Rank(rank), Port(0), Port(0)};
}

/// Two ranks: each reduces its half, then hands it over.
///   step 0: rank 0 sends [5,10), receives [0,5) add;  rank 1 the other way round
///   step 1: rank 0 sends [0,5), receives [5,10) replace
std::vector<Plan> two_ranks() {
  const Extent low{0, 5};
  const Extent high{5, 5};
  std::vector<Plan> plans(2);
  plans[0].lanes = {
      {Step{.sends = {{checked_peer(1), high}}, .recvs = {{checked_peer(1), low, Combine::add}}},
       Step{.sends = {{checked_peer(1), low}},
            .recvs = {{checked_peer(1), high, Combine::replace}}}}};
  plans[1].lanes = {
      {Step{.sends = {{checked_peer(0), low}}, .recvs = {{checked_peer(0), high, Combine::add}}},
       Step{.sends = {{checked_peer(0), high}},
            .recvs = {{checked_peer(0), low, Combine::replace}}}}};
  return plans;
}

TEST(CheckPlans, ProvesAnAllReduceOfTwoRanks) {
  EXPECT_THAT(check_plans(two_ranks(), kElements), IsEmpty());
}

TEST(CheckPlans, OneRankAloneNeedsNothing) {
  EXPECT_THAT(check_plans(std::vector<Plan>(1), kElements), IsEmpty());
}

TEST(CheckPlans, TwoRanksThatDoNothingLackEachOther) {
  EXPECT_THAT(check_plans(std::vector<Plan>(2), kElements),
              Contains(HasSubstr("rank 0: [0, 10) ends without rank 1's contribution")));
}

TEST(CheckPlans, FindsASendWithoutItsReceive) {
  auto plans = two_ranks();
  plans[1].lanes[0][0].recvs.clear();
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("rank 0, lane 0, step 0: sends rank 1 [5, 10) (port 0 to port 0), "
                                 "which receives nothing")));
}

TEST(CheckPlans, FindsAReceiveWithoutItsSend) {
  auto plans = two_ranks();
  plans[1].lanes[0][0].sends.clear();
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("receives [0, 5) from rank 1, which sends nothing")));
}

TEST(CheckPlans, FindsExtentsThatDifferByOneElement) {
  auto plans = two_ranks();
  plans[0].lanes[0][1].sends[0].what.count = 4;
  EXPECT_THAT(check_plans(plans, kElements), Contains(HasSubstr("sends rank 1 [0, 4)")));
}

TEST(CheckPlans, FindsPortsThatDoNotMeet) {
  auto plans = two_ranks();
  plans[0].lanes[0][0].sends[0].to.at = Port(1);
  EXPECT_THAT(check_plans(plans, kElements), Contains(HasSubstr("(port 0 to port 1)")));
}

TEST(CheckPlans, FindsAnExtentSentAndReceivedInOneStep) {
  auto plans = two_ranks();
  for (Plan& plan : plans) plan.lanes[0] = {Step{}};
  plans[0].lanes[0][0] = {.sends = {{checked_peer(1), {0, 10}}},
                          .recvs = {{checked_peer(1), {0, 10}, Combine::add}}};
  plans[1].lanes[0][0] = {.sends = {{checked_peer(0), {0, 10}}},
                          .recvs = {{checked_peer(0), {0, 10}, Combine::add}}};
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("sends [0, 10) and receives [0, 10)")));
}

TEST(CheckPlans, FindsAContributionCountedTwice) {
  auto plans = two_ranks();
  plans[0].lanes[0][1].recvs[0].how = Combine::add;  // [5,10) already holds rank 0's own
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("rank 0, lane 0, step 1: adds a contribution twice in [5, 10)")));
}

TEST(CheckPlans, FindsASumOverwrittenByALoneContribution) {
  auto plans = two_ranks();
  plans[0].lanes[0][0].recvs[0].how = Combine::replace;
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("rank 0: [0, 5) ends without rank 0's contribution")));
}

TEST(CheckPlans, FindsAnExtentBeyondTheBuffer) {
  EXPECT_THAT(check_plans(two_ranks(), kElements - 1),
              Contains(HasSubstr("[5, 10) reaches beyond 9 elements")));
}

TEST(CheckPlans, FindsTwoLanesThatWriteTheSameElements) {
  auto plans = two_ranks();
  for (Plan& plan : plans) plan.lanes.push_back(plan.lanes[0]);
  EXPECT_THAT(check_plans(plans, kElements), Contains(HasSubstr("lanes 0 and 1 both touch")));
}

TEST(CheckPlans, FindsAPeerThatDoesNotExist) {
  auto plans = two_ranks();
  plans[0].lanes[0][0].sends[0].to.rank = Rank(2);
  EXPECT_THAT(check_plans(plans, kElements), Contains(HasSubstr("no peer 2")));
}

// A dedicated parameter server adds nothing to the sum and needs no result, so it may stand aside.
TEST(CheckPlans, AParameterServerContributesNothing) {
  std::vector<Plan> plans = two_ranks();
  plans.emplace_back();
  EXPECT_THAT(check_plans(plans, kElements), Contains(HasSubstr("without rank 2's contribution")));
  const Rank server(2);
  EXPECT_THAT(check_plans(plans, all_reduce(3, kElements, {&server, 1})), IsEmpty());
}

// Rank 1 hands on to rank 2 in the step in which it should still be receiving.
TEST(CheckPlans, FindsWhatIsSentBeforeItIsThere) {
  std::vector<Plan> plans(3);
  plans[0].lanes = {{Step{}, Step{.sends = {{checked_peer(1), {0, 10}}}}}};
  plans[1].lanes = {{Step{.sends = {{checked_peer(2), {0, 10}}}},
                     Step{.recvs = {{checked_peer(0), {0, 10}, Combine::replace}}}}};
  plans[2].lanes = {{Step{.recvs = {{checked_peer(1), {0, 10}, Combine::replace}}}}};
  EXPECT_THAT(check_plans(plans, broadcast(3, 10, Rank(0))),
              ElementsAre("rank 1, lane 0, step 0: sends rank 2 [0, 10), of which it holds nothing",
                          HasSubstr("rank 2: [0, 10) ends without rank 0's contribution")));
}

// The first element that is wrong, and whose contributions are there: of 70 ranks that all send to
// rank 0, those from 3 to 5 and rank 68 leave elements 5 to 9 out.
TEST(CheckPlans, SaysWhatARankHoldsAndLacks) {
  std::vector<Plan> plans(70);
  Step gathered;
  for (std::size_t i = 1; i < plans.size(); ++i) {
    const bool lacks = (i >= 3 && i <= 5) || i == 68;
    const Extent what{0, lacks ? 5u : 10u};
    plans[i].lanes = {{Step{.sends = {{checked_peer(0), what}}}}};
    gathered.recvs.push_back({checked_peer(i), what, Combine::add});
  }
  plans[0].lanes = {{gathered}};
  EXPECT_THAT(
      check_plans(plans, reduce(70, 10, Rank(0))),
      ElementsAre("rank 0: [5, 10) ends without rank 3's contribution: holds those of ranks "
                  "0-2, 6-67, 69, lacks those of ranks 3-5, 68"));
}

TEST(CheckPlans, SaysWhoseContributionComesTwice) {
  auto plans = two_ranks();
  plans[0].lanes[0][1].recvs[0].how = Combine::add;
  EXPECT_THAT(check_plans(plans, kElements),
              Contains(HasSubstr("rank 0's, with what rank 1 sends")));
}

// Of a step that replaces and adds in overlapping places the order would decide.
TEST(CheckPlans, FindsAReplacedPlaceThatIsAddedTo) {
  std::vector<Plan> plans(3);
  plans[1].lanes = {{Step{.sends = {{checked_peer(0), {0, 6}}}}}};
  plans[2].lanes = {{Step{.sends = {{checked_peer(0), {4, 6}}}}}};
  for (const auto& [first, second] :
       {std::pair(Combine::add, Combine::replace), std::pair(Combine::replace, Combine::add),
        std::pair(Combine::replace, Combine::replace)}) {
    plans[0].lanes = {
        {Step{.recvs = {{checked_peer(1), {0, 6}, first}, {checked_peer(2), {4, 6}, second}}}}};
    EXPECT_THAT(check_plans(plans, reduce(3, 10, Rank(0))),
                Contains(HasSubstr("and receives it again")));
  }
}

// 64 ranks fill a word of a set; 65 and 130 need more.
TEST(CheckPlans, CountsAnyNumberOfContributors) {
  for (const std::size_t ranks : {63u, 64u, 65u, 130u}) {
    std::vector<Plan> plans(ranks);
    Step gathered;
    for (std::size_t i = 1; i < ranks; ++i) {
      plans[i].lanes = {{Step{.sends = {{checked_peer(0), {0, 10}}}}}};
      gathered.recvs.push_back({checked_peer(i), {0, 10}, Combine::add});
    }
    plans[0].lanes = {{gathered}};
    EXPECT_THAT(check_plans(plans, reduce(ranks, 10, Rank(0))), IsEmpty()) << ranks;
    plans[0].lanes[0][0].recvs.pop_back();
    plans.back().lanes.clear();
    EXPECT_THAT(check_plans(plans, reduce(ranks, 10, Rank(0))),
                ElementsAre(HasSubstr(fmt::format("lacks those of rank {}", ranks - 1))));
  }
}

TEST(CheckPlans, ListsAtMostTwentyFindings) {
  std::vector<Plan> plans(50);
  EXPECT_EQ(check_plans(plans, kElements).size(), 20u);
}

}  // namespace
}  // namespace gradwire
