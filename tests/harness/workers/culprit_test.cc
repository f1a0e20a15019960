#include "harness/workers/culprit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::workers {
namespace {

using ::testing::HasSubstr;

RankEnd stalled(std::size_t rank, std::size_t peer, std::size_t step) {
  const FabricError error(FabricFailure::stalled,
                          {.rank = Rank(rank), .peer = Rank(peer), .port = Port(0), .step = step},
                          "nothing moved");
  return {.rank = Rank(rank), .failure = describe_failure(error)};
}

// A ring in which rank 2 is stopped: 3 waits for 2, 0 for 3, 1 for 0. Rank 2 says nothing.
TEST(FindCulprit, IsTheOneThatAllWaitForAndThatDoesNotComplain) {
  const std::vector<RankEnd> ends{
      stalled(0, 3, 2), stalled(1, 0, 3), {.rank = Rank(2)}, stalled(3, 2, 1)};
  const FabricError error = find_culprit(ends);
  EXPECT_EQ(error.failure(), FabricFailure::stalled);
  EXPECT_EQ(error.place().peer, Rank(2));
  EXPECT_EQ(error.place().step, std::size_t{1});
  EXPECT_THAT(error.what(), HasSubstr("rank 2 is silent"));
}

// A ring in which rank 1's port is down: 2 waits for 1, 3 for 2, 0 for 3, and 3 has even left.
TEST(FindCulprit, IsTheOneWhoseOwnLinkIsDown) {
  const auto down = [](std::size_t rank) {
    const FabricError error(FabricFailure::link_down, {.rank = Rank(rank), .port = Port(2)},
                            "p2 is down");
    return RankEnd{.rank = Rank(rank), .failure = describe_failure(error)};
  };
  std::vector<RankEnd> ends{stalled(0, 3, 2),
                            down(1),
                            stalled(2, 1, 1),
                            {.rank = Rank(3), .ending = "was killed by signal 9 (Killed)"}};
  EXPECT_EQ(find_culprit(ends).failure(), FabricFailure::link_down);
  EXPECT_STREQ(find_culprit(ends).what(), "rank 1, port 2: link down: p2 is down");
  ends.push_back(down(4));
  EXPECT_STREQ(find_culprit(ends).what(),
               "rank 1, port 2: link down: p2 is down; the same at rank 4, port 2");
}

// Rank 2 ends for what came from rank 1, and those that wait for rank 2 have nothing to say of it.
TEST(FindCulprit, IsWhereADamagedFrameArrived) {
  const FabricError error(FabricFailure::corrupted,
                          {.rank = Rank(2), .peer = Rank(1), .port = Port(0)}, "frame 7");
  const std::vector<RankEnd> ends{
      stalled(0, 3, 2), {.rank = Rank(1)}, {.rank = Rank(2), .failure = describe_failure(error)}};
  EXPECT_STREQ(find_culprit(ends).what(), "rank 2, peer 1, port 0: corrupted: frame 7");
}

TEST(FindCulprit, IsFirstTheOneThatDiedWithoutAWord) {
  const std::vector<RankEnd> ends{stalled(0, 3, 2),
                                  {.rank = Rank(3), .ending = "was killed by signal 9 (Killed)"}};
  const FabricError error = find_culprit(ends);
  EXPECT_EQ(error.failure(), FabricFailure::peer_closed);
  EXPECT_THAT(error.what(), HasSubstr("rank 3 was killed by signal 9"));
  EXPECT_EQ(error.place().port, Port(0)) << "where it was noticed";
}

// Who left in order, because nobody was there any more, is not to blame.
TEST(FindCulprit, IsTheOneThatWasKilledBeforeOneThatLeft) {
  const std::vector<RankEnd> ends{{.rank = Rank(0), .ending = "exited with 0"},
                                  {.rank = Rank(2), .ending = "was killed by signal 9 (Killed)"}};
  EXPECT_THAT(find_culprit(ends).what(), HasSubstr("rank 2 was killed by signal 9"));
  EXPECT_THAT(find_culprit(std::span(ends).first(1)).what(), HasSubstr("rank 0 exited with 0"));
}

TEST(FindCulprit, IsThenTheOneWithATroubleOfItsOwn) {
  const std::vector<RankEnd> ends{
      stalled(0, 1, 2), {.rank = Rank(1), .failure = Failure{.message = "out of memory"}}};
  EXPECT_THAT(find_culprit(ends).what(), HasSubstr("out of memory"));
}

// A ring in which nothing comes from rank 1 to rank 2 any more, and all live: 2 waits in step 1, and
// the others for what it could not send on.
TEST(FindCulprit, IsTheOneThatWaitsInTheEarliestStep) {
  const std::vector<RankEnd> ends{stalled(0, 3, 3), stalled(1, 0, 4), stalled(2, 1, 1),
                                  stalled(3, 2, 2)};
  const FabricError error = find_culprit(ends);
  EXPECT_EQ(error.place().rank, Rank(2));
  EXPECT_EQ(error.place().peer, Rank(1));
}

// The connection between 1 and 3 broke in step 2. Rank 0 lost rank 1 when that ended, and was behind.
TEST(FindCulprit, AreTheTwoThatComplainOfEachOther) {
  const std::vector<RankEnd> ends{stalled(0, 1, 1), stalled(1, 3, 2), stalled(2, 3, 1),
                                  stalled(3, 1, 2)};
  EXPECT_EQ(find_culprit(ends).place().rank, Rank(1));
  EXPECT_EQ(find_culprit(ends).place().peer, Rank(3));
}

// The connection between 3 and 4 broke, but 4 noticed rank 2 first, which had lost 3.
TEST(FindCulprit, IsInTheCircleThatOthersOnlyLeadTo) {
  const std::vector<RankEnd> ends{stalled(0, 4, 0), stalled(1, 0, 0), stalled(2, 3, 2),
                                  stalled(3, 4, 1), stalled(4, 2, 3)};
  EXPECT_EQ(find_culprit(ends).place().rank, Rank(3));
  EXPECT_EQ(find_culprit(ends).place().peer, Rank(4));
}

// A ring in which rank 2 stands still: 3 waits for it in step 1. Rank 0 waits for 4 in step 3, which
// was slow and had no time to complain.
TEST(FindCulprit, IsTheSilentOneOfTheEarliestStep) {
  const std::vector<RankEnd> ends{
      stalled(0, 4, 3), stalled(1, 0, 4), {.rank = Rank(2)}, stalled(3, 2, 1), {.rank = Rank(4)}};
  EXPECT_EQ(find_culprit(ends).place().peer, Rank(2));
}

// Its rank still runs for a moment, and sees others end whom mpirun ends.
TEST(FindCulprit, IsARankWhoseHostIsLost) {
  const std::vector<RankEnd> ends{stalled(0, 1, 2),
                                  {.rank = Rank(1), .ending = "was killed by signal 9 (Killed)"},
                                  stalled(2, 0, 2)};
  std::vector<RankEnd> lost = ends;
  lost[2].ending = "is on a host that mpirun has lost";
  lost[2].host_lost = true;
  EXPECT_THAT(find_culprit(ends).what(), HasSubstr("rank 1 was killed"));
  EXPECT_THAT(find_culprit(lost).what(), HasSubstr("rank 2 is on a host that mpirun has lost"));
}

// All ranks of a switch are killed at once. One of them had still noticed another, and rank 3, which
// was not among them, was asked to leave afterwards.
TEST(FindCulprit, AreAllThatWereKilledTogether) {
  const std::string killed = "was killed by signal 9 (Killed)";
  std::vector<RankEnd> ends{{.rank = Rank(0), .ending = killed},
                            stalled(1, 0, 2),
                            {.rank = Rank(2), .ending = killed},
                            {.rank = Rank(3), .ending = "exited with 0", .asked = true}};
  ends[1].ending = killed;
  EXPECT_STREQ(find_culprit(ends).what(),
               "rank 0: peer closed: rank 0, 1 and 2 were killed by signal 9 (Killed)");
  ends[2].ending = "exited with 3";
  EXPECT_STREQ(find_culprit(ends).what(),
               "rank 0: peer closed: rank 0 and 1 were killed by signal 9 (Killed); "
               "rank 2 exited with 3");
  EXPECT_THAT(find_culprit(std::span(ends).last(2)).what(), HasSubstr("rank 2 exited with 3"));
}

// Whoever leaves before anybody was asked to is to blame, and not those that were asked for it.
TEST(FindCulprit, IsTheOneThatLeftUnasked) {
  const std::vector<RankEnd> ends{{.rank = Rank(0), .ending = "exited with 0", .asked = true},
                                  {.rank = Rank(1), .ending = "exited with 0"}};
  EXPECT_STREQ(find_culprit(ends).what(), "rank 1: peer closed: rank 1 exited with 0");
}

// A ring whose rank 2 is stopped, which the harness can see.
TEST(FindCulprit, IsTheOneThatStandsStill) {
  std::vector<RankEnd> ends{
      stalled(0, 3, 2), stalled(1, 0, 3), {.rank = Rank(2)}, stalled(3, 2, 1)};
  ends[2].standing = "stands still (state T: stopped by signal 19)";
  const FabricError error = find_culprit(ends);
  EXPECT_EQ(error.failure(), FabricFailure::stalled);
  EXPECT_THAT(error.what(),
              HasSubstr("rank 3, peer 2, port 0, step 1: stalled: rank 2 stands still (state T: "
                        "stopped by signal 19); noticed first by rank 3"));
  const std::vector<RankEnd> two{{.rank = Rank(0), .standing = "stands still"},
                                 {.rank = Rank(1), .standing = "stands still"}};
  EXPECT_THAT(find_culprit(two).what(), HasSubstr("rank 0 and 1 stand still"));
}

// Rank 2 waited for rank 1 in vain, and closed its connections when it gave up.
TEST(FindCulprit, IsWhoWaitedBeforeWhoSawAConnectionClosed) {
  const auto closed = [](std::size_t rank, std::size_t peer) {
    const FabricError error(FabricFailure::peer_closed, {.rank = Rank(rank), .peer = Rank(peer)},
                            "the peer closed the connection");
    return RankEnd{.rank = Rank(rank), .failure = describe_failure(error)};
  };
  const std::vector<RankEnd> ends{closed(0, 2), closed(1, 2), stalled(2, 1, 3)};
  EXPECT_STREQ(find_culprit(ends).what(), "rank 2, peer 1, port 0, step 3: stalled: nothing moved");
}

// mpirun takes all ranks with it; what it said of a lost host is more than "told to stop".
TEST(FindCulprit, IsNotOneThatWasOnlyToldToStop) {
  const Failure stopped{.message = "stopped", .fabric = FabricFailure::cancelled};
  const std::vector<RankEnd> ends{
      {.rank = Rank(0), .failure = stopped, .ending = "exited with 0"},
      {.rank = Rank(1), .ending = "mpirun exited with 1; it said: lost red", .with_others = true}};
  EXPECT_EQ(find_culprit(ends).failure(), FabricFailure::refused);
  EXPECT_THAT(find_culprit(ends).what(), HasSubstr("lost red"));
  EXPECT_EQ(find_culprit(std::span(ends).first(1)).failure(), FabricFailure::cancelled);
}

}  // namespace
}  // namespace gradwire::workers
