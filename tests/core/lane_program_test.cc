#include "core/lane_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Who waits for whom, on lanes small enough to see it.
namespace gradwire {
namespace {

using ::testing::ElementsAre;

Peer next_to(std::size_t rank) {
  return {Rank(rank), Port(0), Port(0)};
}

/// Whom an operation wakes, and after how many of its elements: directly, or through gates that
/// open others.
std::vector<std::pair<std::size_t, std::size_t>> wakeups(const LaneProgram& program,
                                                         std::size_t operation) {
  std::vector<std::pair<std::size_t, std::size_t>> list;
  for (const Wakeup& wakeup : program.wakeups(operation)) {
    for (std::optional<std::size_t> gate = wakeup.gate; gate; gate = program.next_gate(*gate)) {
      for (const std::size_t waiter : program.behind(*gate)) {
        list.emplace_back(wakeup.needed, waiter);
      }
    }
  }
  return list;
}

/// By operation: how many operations it waits for.
std::vector<std::size_t> blockers(const LaneProgram& program) {
  std::vector<std::size_t> count(program.operations().size());
  for (std::size_t i = 0; i < count.size(); ++i) {
    for (const auto& [needed, waiter] : wakeups(program, i)) ++count[waiter];
  }
  return count;
}

// Step 0 receives [0,10); step 1 sends [2,5): it waits for the first 5 elements.
TEST(LaneProgram, ASendWaitsForWhatItCarries) {
  const LaneProgram program({Step{.recvs = {{next_to(1), {0, 10}, Combine::add}}},
                             Step{.sends = {{next_to(2), {2, 3}}, {next_to(2), {20, 3}}}}});
  EXPECT_THAT(wakeups(program, 0), ElementsAre(std::pair(5u, 1u)));
  EXPECT_THAT(blockers(program), ElementsAre(0, 1, 0));
}

TEST(LaneProgram, AReceiveWaitsForSendsThatItOverwrites) {
  const LaneProgram program({Step{.sends = {{next_to(1), {0, 10}}}},
                             Step{.recvs = {{next_to(2), {4, 2}, Combine::replace}}}});
  EXPECT_THAT(wakeups(program, 0), ElementsAre(std::pair(6u, 1u)));
}

TEST(LaneProgram, AdditionsCommuteReplacementsDoNot) {
  const Step add{.recvs = {{next_to(1), {0, 4}, Combine::add}}};
  const Step replace{.recvs = {{next_to(2), {0, 4}, Combine::replace}}};
  EXPECT_THAT(blockers(LaneProgram({add, add})), ElementsAre(0, 0));
  EXPECT_THAT(blockers(LaneProgram({add, replace})), ElementsAre(0, 1));
  EXPECT_THAT(blockers(LaneProgram({replace, add})), ElementsAre(0, 1));
}

// Step 0 adds to [0,4) and step 1 to [2,6): for the bits to be the same, the second waits for all that both touch, and
// nothing else does.
TEST(LaneProgram, OrderedSumsAddInTheOrderOfTheSteps) {
  const Lane lane{
      Step{.sends = {{next_to(3), {8, 4}}}, .recvs = {{next_to(1), {0, 4}, Combine::add}}},
      Step{.sends = {{next_to(3), {9, 1}}}, .recvs = {{next_to(2), {2, 4}, Combine::add}}}};
  const LaneProgram program(lane, Stepping::ordered_sums);
  EXPECT_THAT(blockers(program), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(wakeups(program, 1), ElementsAre(std::pair(4u, 3u)));
  EXPECT_THAT(blockers(LaneProgram(lane)), ElementsAre(0, 0, 0, 0));
}

TEST(LaneProgram, TransfersOfOneStepDoNotWaitForEachOther) {
  const LaneProgram program(
      {Step{.sends = {{next_to(1), {0, 4}}},
            .recvs = {{next_to(1), {4, 4}, Combine::add}, {next_to(2), {4, 4}, Combine::add}}}});
  EXPECT_THAT(blockers(program), ElementsAre(0, 0, 0));
}

// In order, a send waits for all receives of all steps before, also where the extents are apart.
TEST(LaneProgram, InOrderASendWaitsForTheStepsBefore) {
  const Lane lane{
      Step{.recvs = {{next_to(1), {0, 4}, Combine::add}, {next_to(2), {4, 4}, Combine::add}}},
      Step{.sends = {{next_to(1), {8, 4}}}, .recvs = {{next_to(1), {30, 4}, Combine::add}}},
      Step{.sends = {{next_to(2), {12, 4}}}}};
  EXPECT_THAT(blockers(LaneProgram(lane)), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(blockers(LaneProgram(lane, Stepping::in_order)), ElementsAre(0, 0, 2, 0, 3));
}

// One by one, it waits for the sends before, too: the children of a tree are served in turn.
TEST(LaneProgram, OneByOneASendWaitsForTheSendsBefore) {
  const Lane root{Step{.sends = {{next_to(1), {0, 4}}}}, Step{.sends = {{next_to(2), {0, 4}}}},
                  Step{.sends = {{next_to(3), {0, 4}}}, .recvs = {{next_to(4), {8, 4}}}}};
  EXPECT_THAT(blockers(LaneProgram(root, Stepping::in_order)), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(blockers(LaneProgram(root, Stepping::one_by_one)), ElementsAre(0, 1, 2, 0));
}

// The first step's sends wait for nothing, and what stands behind the next barrier not for them.
TEST(LaneProgram, EveryGateThatNeedsInputsGetsThem) {
  const Step exchange{.sends = {{next_to(1), {0, 4}}},
                      .recvs = {{next_to(1), {4, 4}, Combine::add}}};
  const LaneProgram program({exchange, exchange, exchange}, Stepping::in_order);
  std::vector<std::uint32_t> inputs(program.gate_inputs().size());
  for (std::size_t i = 0; i < program.operations().size(); ++i) {
    for (const Wakeup& wakeup : program.wakeups(i)) ++inputs[wakeup.gate];
  }
  for (std::size_t gate = 0; gate < inputs.size(); ++gate) {
    const auto next = program.next_gate(gate);
    if (next && program.gate_inputs()[gate] > 0) ++inputs[*next];
  }
  EXPECT_THAT(inputs, ::testing::ElementsAreArray(program.gate_inputs()));
}

// Three pushes of one shard and three answers with it: one gate with three inputs, not nine waits.
TEST(LaneProgram, WhatWaitsForTheSameStandsBehindOneGate) {
  Lane lane(2);
  for (const std::size_t worker : {1, 2, 3}) {
    lane[0].recvs.push_back({next_to(worker), {0, 4}, Combine::add});
    lane[1].sends.push_back({next_to(worker), {0, 4}});
  }
  const LaneProgram program(lane);
  const std::size_t gate = program.gate_of(3);
  EXPECT_EQ(program.gate_inputs()[gate], 3u);
  EXPECT_THAT(program.behind(gate), ElementsAre(3, 4, 5));
  for (const std::size_t push : {0, 1, 2}) EXPECT_EQ(program.wakeups(push).size(), 1u);
}

TEST(LaneProgram, QueuesKeepTheStepOrderOfEachChannel) {
  const LaneProgram program({Step{.sends = {{next_to(1), {0, 1}}, {next_to(2), {0, 1}}}},
                             Step{.sends = {{next_to(1), {1, 1}}}}});
  EXPECT_THAT(program.channels(), ElementsAre(next_to(1), next_to(2)));
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
}  // namespace gradwire
