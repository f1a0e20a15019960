#include "core/plan.h"

#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"

namespace gradwire {
namespace {

Plan sample() {
  Plan plan;
  plan.lanes = {
      {Step{.sends = {{{Rank(1), Port(0), Port(0)}, {0, 3}}, {{Rank(2), Port(1), Port(1)}, {3, 5}}},
            .recvs = {{{Rank(1), Port(0), Port(0)}, {8, 4}, Combine::add}}}},
      {Step{.sends = {{{Rank(2), Port(1), Port(1)}, {20, 7}}}}, Step{}},
  };
  return plan;
}

TEST(Shifted, MovesEveryExtent) {
  const Plan plan = shifted(sample(), 100);
  EXPECT_EQ(plan.lanes[0][0].sends[1].what, (Extent{103, 5}));
  EXPECT_EQ(plan.lanes[0][0].recvs[0].where, (Extent{108, 4}));
  EXPECT_EQ(plan.lanes[1][0].sends[0].what, (Extent{120, 7}));
}

// Lanes of different lengths begin a stage together: sample() has 1 and 2 steps.
TEST(InStages, LinesTheLanesUp) {
  const StagedPlan staged = in_stages({sample(), shifted(sample(), 100)});
  EXPECT_EQ(staged.stages, (std::vector<StepRange>{{0, 2}, {2, 2}}));
  ASSERT_EQ(staged.plan.lanes.size(), 2u);
  EXPECT_EQ(staged.plan.lanes[0].size(), 4u);
  EXPECT_TRUE(staged.plan.lanes[0][1].sends.empty());
  EXPECT_EQ(staged.plan.lanes[0][2].sends[0].what, (Extent{100, 3}));
  EXPECT_EQ(staged.plan.lanes[1][2].sends[0].what, (Extent{120, 7}));
}

TEST(InStages, ARankHasOneStepping) {
  Plan other = sample();
  other.stepping = Stepping::in_order;
  EXPECT_THROW(static_cast<void>(in_stages({sample(), other})), InternalError);
}

// What comes second begins where all lanes have had the steps of what comes first.
TEST(Then, PutsOnePlanAfterTheOther) {
  const Plan plan = then(sample(), shifted(sample(), 100));
  EXPECT_EQ(plan, in_stages({sample(), shifted(sample(), 100)}).plan);
  EXPECT_EQ(plan.lanes[0][2].recvs[0].where, (Extent{108, 4}));
  EXPECT_EQ(then({}, sample()).lanes[1].size(), 2u);
}

// Each keeps its lanes and how they step.
TEST(Beside, GivesEachPlanLanesOfItsOwn) {
  Plan waits = shifted(sample(), 100);
  waits.stepping = Stepping::in_order;
  const Plan plan = beside(sample(), waits);
  ASSERT_EQ(plan.lanes.size(), 4u);
  EXPECT_EQ(plan.lanes[1], sample().lanes[1]);
  EXPECT_EQ(plan.lanes[2], waits.lanes[0]);
  EXPECT_EQ(plan.stepping_of(1), Stepping::overlapped);
  EXPECT_EQ(plan.stepping_of(2), Stepping::in_order);
  const StagedPlan staged = in_stages({plan, plan});
  EXPECT_EQ(staged.plan.stepping_of(3), Stepping::in_order);
  EXPECT_THROW(static_cast<void>(in_stages({plan, beside(waits, sample())})), InternalError);
  EXPECT_EQ(beside({}, waits), waits);
  EXPECT_TRUE(beside(waits, waits).lane_steppings.empty());
}

TEST(CountPorts, AddsUpTheElementsOfAllLanes) {
  const std::vector<PortCount> ports = count_ports(sample());
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0], (PortCount{.sent = 3, .received = 4}));
  EXPECT_EQ(ports[1], (PortCount{.sent = 5 + 7, .received = 0}));
}

TEST(CountPorts, CanLookAtOneStep) {
  EXPECT_EQ(count_ports(sample(), 0).size(), 2u);
  EXPECT_TRUE(count_ports(sample(), 1).empty());
  EXPECT_EQ(step_count(sample()), 2u);
}

TEST(SendCount, AddsUpTheSendsOfAllLanes) {
  EXPECT_EQ(send_count(sample()), 3u);
  EXPECT_EQ(send_count({}), 0u);
}

}  // namespace
}  // namespace gradwire
