#include "core/goal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/plan_check.h"

namespace gradwire {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Peer peer(std::size_t rank) {
  return {Rank(rank), Port(0), Port(0)};
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
}

/// Rank 0 sends all ten elements to rank 1, which replaces what it has.
std::vector<Plan> one_message() {
  std::vector<Plan> plans(2);
  plans[0].lanes = {{Step{.sends = {{peer(1), Extent{0, 10}}}}}};
  plans[1].lanes = {{Step{.recvs = {{peer(0), Extent{0, 10}, Combine::replace}}}}};
  return plans;
}

// A broadcast from rank 0: only the root begins with the elements, every rank ends with them.
TEST(CheckPlans, ProvesABroadcast) {
  const Goal broadcast{.elements = 10, .begins = {{{0, 10}}, {}}, .ends = {{{0, 10}}, {{0, 10}}}};
  EXPECT_THAT(check_plans(one_message(), broadcast), IsEmpty());
  EXPECT_THAT(check_plans(one_message(), all_reduce(2, 10)),
              Contains(HasSubstr("ends without rank 1's contribution")));
}

// A reduction of the upper half at rank 1: what the goal leaves out may end in any state.
TEST(CheckPlans, LooksOnlyAtWhatMustEndWhole) {
  std::vector<Plan> plans = one_message();
  plans[0].lanes[0][0].sends[0].what = {5, 5};
  plans[1].lanes[0][0].recvs[0] = {peer(0), {5, 5}, Combine::add};
  const Goal upper{.elements = 10, .begins = {{{0, 10}}, {{0, 10}}}, .ends = {{}, {{5, 5}}}};
  EXPECT_THAT(check_plans(plans, upper), IsEmpty());
  const Goal lower{.elements = 10, .begins = {{{0, 10}}, {{0, 10}}}, .ends = {{}, {{3, 5}}}};
  EXPECT_THAT(check_plans(plans, lower), Contains(HasSubstr("[3, 5) ends without rank 0's")));
}

}  // namespace
}  // namespace gradwire
