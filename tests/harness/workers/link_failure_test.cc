#include "harness/workers/link_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace gradwire::workers {
namespace {

using ::testing::StartsWith;
using topologies::make_topology;

RankEnd down(std::size_t rank, std::vector<Port> ports) {
  const FabricError error(FabricFailure::link_down, {.rank = Rank(rank), .port = ports.front()},
                          "it is down");
  Failure failure = describe_failure(error);
  failure.down = std::move(ports);
  return {.rank = Rank(rank), .failure = std::move(failure)};
}

RankEnd unanswered(std::size_t rank, std::size_t peer) {
  const FabricError error(
      FabricFailure::unanswered, {.rank = Rank(rank), .peer = Rank(peer), .port = Port(0)},
      "port 0 of rank " + std::to_string(peer) + " acknowledges nothing that was sent to it");
  return {.rank = Rank(rank), .failure = describe_failure(error)};
}

// On bcube(2,2) level 1's switches join ranks 0 and 2, and ranks 1 and 3.
TEST(FindFailedSwitch, IsTheOneToWhichAllPortsLeadThatAreDown) {
  const auto wiring = make_topology("bcube(2,2)");
  const std::vector<RankEnd> ends{down(1, {Port(1)}), {.rank = Rank(2)}, down(3, {Port(1)})};
  const auto found = find_failed_switch(ends, *wiring);
  ASSERT_TRUE(found.has_value());
  EXPECT_STREQ(found->what(),
               "link down: level 1 switch 1 carries nothing: all ports that lead to it are down: "
               "rank 1, port 1; rank 3, port 1");
}

TEST(FindFailedSwitch, IsNoneWhenPortsOfOtherSwitchesAreDownToo) {
  const auto wiring = make_topology("bcube(2,2)");
  const std::vector<RankEnd> other{down(1, {Port(0), Port(1)}), down(3, {Port(1)})};
  EXPECT_FALSE(find_failed_switch(other, *wiring).has_value());
}

TEST(FindFailedSwitch, IsNoneWhenOneOfItsPortsIsUp) {
  const auto wiring = make_topology("single-switch(3)");
  const std::vector<RankEnd> two{down(0, {Port(0)}), down(2, {Port(0)})};
  EXPECT_FALSE(find_failed_switch(two, *wiring).has_value());
  const std::vector<RankEnd> one{down(0, {Port(0)})};
  EXPECT_FALSE(find_failed_switch(one, *wiring).has_value());
}

// Rank 1 hears nobody: what rank 0 sends to it, and what it sends to rank 2, is not acknowledged.
TEST(FindUnheard, IsTheRankAtAnEndOfEveryPath) {
  const std::vector<RankEnd> ends{unanswered(0, 1), unanswered(1, 2), {.rank = Rank(2)}};
  const auto found = find_unheard(ends);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->place().rank, Rank(1));
  EXPECT_EQ(found->place().port, Port(0));
  EXPECT_THAT(found->what(),
              StartsWith("rank 1, port 0: no answer: what is sent to it or from it is lost, on the "
                         "ways to ranks 0, 2; noticed first by rank 0, peer 1"));
}

TEST(FindUnheard, NamesBothEndsOfASinglePath) {
  const std::vector<RankEnd> ends{unanswered(3, 2), unanswered(2, 3)};
  const auto found = find_unheard(ends);
  ASSERT_TRUE(found.has_value());
  EXPECT_STREQ(found->what(),
               "rank 3, peer 2, port 0: no answer: port 0 of rank 2 acknowledges nothing that was "
               "sent to it");
}

TEST(FindUnheard, IsNobodyWhenAllAreAnswered) {
  EXPECT_FALSE(find_unheard(std::vector<RankEnd>{down(0, {Port(0)})}).has_value());
}

// A rank that is not answered knows more than one that waits for it and says nothing else.
TEST(FindCulprit, IsTheUnheardBeforeTheSilent) {
  const FabricError stalled(FabricFailure::stalled, {.rank = Rank(2), .peer = Rank(3)}, "nothing");
  const std::vector<RankEnd> ends{unanswered(0, 1),
                                  unanswered(1, 0),
                                  {.rank = Rank(2), .failure = describe_failure(stalled)},
                                  {.rank = Rank(3)}};
  EXPECT_EQ(find_culprit(ends).failure(), FabricFailure::unanswered);
}

}  // namespace
}  // namespace gradwire::workers
