#include "transport/lane_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transport/endpoint.h"

/// Who waits for whom, on lanes small enough to see it.
namespace gradwire::transport {
namespace {

using ::testing::ElementsAre;

Peer peer(std::size_t rank) {
  return {Rank(rank), Port(0), Port(0)};
}

std::vector<std::pair<std::size_t, std::size_t>> wakeups(const LaneProgram& program,
                                                         std::size_t operation) {
  std::vector<std::pair<std::size_t, std::size_t>> list;
  for (const Wakeup& wakeup : program.wakeups(operation)) {
    list.emplace_back(wakeup.needed, wakeup.waiter);
  }
  return list;
}

// Step 0 receives [0,10); step 1 sends [2,5): it waits for the first 5 elements.
TEST(LaneProgram, ASendWaitsForWhatItCarries) {
  const LaneProgram program({Step{.recvs = {{peer(1), {0, 10}, Combine::add}}},
                             Step{.sends = {{peer(2), {2, 3}}, {peer(2), {20, 3}}}}});
  EXPECT_THAT(wakeups(program, 0), ElementsAre(std::pair(5u, 1u)));
  EXPECT_THAT(program.blockers(), ElementsAre(0, 1, 0));
}

TEST(LaneProgram, AReceiveWaitsForSendsThatItOverwrites) {
  const LaneProgram program(
      {Step{.sends = {{peer(1), {0, 10}}}}, Step{.recvs = {{peer(2), {4, 2}, Combine::replace}}}});
  EXPECT_THAT(wakeups(program, 0), ElementsAre(std::pair(6u, 1u)));
}

TEST(LaneProgram, AdditionsCommuteReplacementsDoNot) {
  const Step add{.recvs = {{peer(1), {0, 4}, Combine::add}}};
  const Step replace{.recvs = {{peer(2), {0, 4}, Combine::replace}}};
  EXPECT_THAT(LaneProgram({add, add}).blockers(), ElementsAre(0, 0));
  EXPECT_THAT(LaneProgram({add, replace}).blockers(), ElementsAre(0, 1));
  EXPECT_THAT(LaneProgram({replace, add}).blockers(), ElementsAre(0, 1));
}

TEST(LaneProgram, TransfersOfOneStepDoNotWaitForEachOther) {
  const LaneProgram program(
      {Step{.sends = {{peer(1), {0, 4}}},
            .recvs = {{peer(1), {4, 4}, Combine::add}, {peer(2), {4, 4}, Combine::add}}}});
  EXPECT_THAT(program.blockers(), ElementsAre(0, 0, 0));
}

// In order, a send waits for all of the last receiving step, also where the extents are apart.
TEST(LaneProgram, InOrderASendWaitsForTheStepBefore) {
  const Lane lane{Step{.recvs = {{peer(1), {0, 4}, Combine::add}, {peer(2), {4, 4}, Combine::add}}},
                  Step{.sends = {{peer(1), {8, 4}}}}, Step{.sends = {{peer(2), {12, 4}}}}};
  EXPECT_THAT(LaneProgram(lane).blockers(), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(LaneProgram(lane, Stepping::in_order).blockers(), ElementsAre(0, 0, 2, 2));
}

TEST(LaneProgram, QueuesKeepTheStepOrderOfEachChannel) {
  const LaneProgram program(
      {Step{.sends = {{peer(1), {0, 1}}, {peer(2), {0, 1}}}}, Step{.sends = {{peer(1), {1, 1}}}}});
  EXPECT_THAT(program.channels(), ElementsAre(peer(1), peer(2)));
  EXPECT_THAT(program.queue(0, Operation::Kind::send), ElementsAre(0, 2));
  EXPECT_THAT(program.queue(1, Operation::Kind::send), ElementsAre(1));
}

// One rank reached through two pairs of ports is two channels: a route may come back another way.
TEST(ChannelsOf, TellsPortsApart) {
  const Lane lane{Step{.sends = {{{Rank(1), Port(1), Port(0)}, {0, 1}}},
                       .recvs = {{{Rank(1), Port(0), Port(1)}, {1, 1}, Combine::add}}}};
  EXPECT_EQ(channels_of(lane).size(), 2u);
}

}  // namespace
}  // namespace gradwire::transport
