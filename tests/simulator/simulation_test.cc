#include "simulator/simulation.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/plan.h"
#include "simulator/fabric.h"
#include "simulator/flows.h"
#include "tests/simulator/instances.h"
#include "tests/simulator/plans.h"
#include "topologies/peers.h"
#include "topologies/registry.h"

/// What a simulation promises, on Plans made by hand. An element takes a second.
namespace gradwire::simulator {
namespace {

using testing::kElementPerSecond;
using testing::make_topology;
using testing::plans_of;
using testing::receive;
using testing::send;
using testing::time_of;
using testing::Topology;

NetworkModel with_delay(double delay) {
  return {.rate = sizeof(float), .delay = delay};
}

Outcome recorded(const Topology& topology, std::vector<Plan> plans, const NetworkModel& model) {
  return simulate(WholeFabric(topology), std::move(plans), model, {.record = true});
}

/// When the send of this extent by this rank began to move.
double posted(const Outcome& outcome, std::size_t rank, Extent extent) {
  for (const SimulatedTransfer& transfer : outcome.transfers) {
    if (transfer.operation.kind != Operation::Kind::send) continue;
    if (transfer.actor == rank && transfer.operation.extent == extent) return transfer.posted;
  }
  ADD_FAILURE() << "rank " << rank << " did not send this";
  return 0;
}

// E + h delay, over h cables: two by one switch, four by three, six by five; a relay doubles them.
TEST(Delay, AMessagePaysItForEachCable) {
  const std::vector<std::tuple<const char*, std::size_t, double>> cases{
      {"single-switch(2)", 1, 2}, {"fat-tree(4)", 1, 2}, {"fat-tree(4)", 2, 4},
      {"fat-tree(4)", 15, 6},     {"bcube(3,2)", 2, 2},  {"bcube(3,2)", 8, 4},
      {"bcube(2,3)", 7, 6},       {"torus(5,5)", 1, 1},  {"torus(5,5)", 12, 4}};
  for (const auto& [wiring, to, cables] : cases) {
    const auto topology = make_topology(wiring);
    std::vector<Plan> plans(topology->hosts(), {.lanes = {{{}}}});
    const Extent all{0, 10};
    plans[0].lanes[0][0].sends = {{topologies::send_peer(*topology, Rank(0), Rank(to)), all}};
    plans[to].lanes[0][0].recvs = {{topologies::receive_peer(*topology, Rank(to), Rank(0)), all}};
    EXPECT_DOUBLE_EQ(time_of(*topology, plans, with_delay(7)), 10 + 7 * cables) << wiring << to;
  }
}

// m messages of e elements, one after the other on one channel: m e + h delay.
TEST(Delay, APipelinePaysItOnce) {
  Lane out;
  Lane in;
  for (std::size_t m = 0; m < 5; ++m) {
    out.push_back({.sends = {send(1, {3 * m, 3})}});
    in.push_back({.recvs = {receive(0, {3 * m, 3})}});
  }
  const auto plans = plans_of(std::vector<Lane>{out, in});
  EXPECT_DOUBLE_EQ(time_of(*make_topology("single-switch(2)"), plans, with_delay(100)), 15 + 200);
}

/// Rank 1 takes [0,10) from rank 0 and passes on parts of it to ranks 2, 3 and 4.
std::vector<Plan> parts_passed_on(Combine how) {
  const std::vector<Extent> parts{{5, 3}, {0, 2}, {2, 3}};
  std::vector<Lane> lanes(5, Lane(2));
  lanes[0][0].sends = {send(1, {0, 10})};
  lanes[1][0].recvs = {receive(0, {0, 10}, how)};
  for (std::size_t i = 0; i < 3; ++i) {
    lanes[1][1].sends.push_back(send(2 + i, parts[i]));
    lanes[2 + i][1].recvs = {receive(1, parts[i])};
  }
  return plans_of(lanes);
}

void expect_posted(const Outcome& outcome, double first, double second, double third) {
  EXPECT_DOUBLE_EQ(posted(outcome, 1, {0, 2}), first);
  EXPECT_DOUBLE_EQ(posted(outcome, 1, {2, 3}), second);
  EXPECT_DOUBLE_EQ(posted(outcome, 1, {5, 3}), third);
}

// [a, b) leaves when b elements have arrived, 2 delay after they have left.
TEST(Extents, APartIsPassedOnWhenItHasArrived) {
  const auto topology = make_topology("single-switch(5)");
  for (const Combine how : {Combine::add, Combine::replace}) {
    const auto plans = parts_passed_on(how);
    expect_posted(recorded(*topology, plans, kElementPerSecond), 2, 5, 8);
    expect_posted(recorded(*topology, plans, with_delay(100)), 202, 205, 208);
    expect_posted(recorded(*topology, plans, with_delay(0.25)), 2.5, 5.5, 8.5);
  }
}

// What is added is added as a whole: after 10 s, and 10 elements of 2 s each.
TEST(Extents, APartOfASumIsPassedOnWhenAllWasAdded) {
  const auto topology = make_topology("single-switch(5)");
  const NetworkModel model{.rate = sizeof(float), .gamma = 2.0 / sizeof(float)};
  expect_posted(recorded(*topology, parts_passed_on(Combine::add), model), 30, 30, 30);
  expect_posted(recorded(*topology, parts_passed_on(Combine::replace), model), 2, 5, 8);
}

// Rank 0 may overwrite [0,4) when it has left: at 4, and rank 2 sends then.
TEST(Extents, APartIsOverwrittenWhenItHasLeft) {
  std::vector<Lane> lanes(3, Lane(2));
  lanes[0][0].sends = {send(1, {0, 10})};
  lanes[1][0].recvs = {receive(0, {0, 10})};
  lanes[2][1].sends = {send(0, {0, 4})};
  lanes[0][1].recvs = {receive(2, {0, 4})};
  const auto topology = make_topology("single-switch(3)");
  const Outcome outcome = recorded(*topology, plans_of(lanes), kElementPerSecond);
  EXPECT_DOUBLE_EQ(posted(outcome, 2, {0, 4}), 4);
  EXPECT_DOUBLE_EQ(outcome.end_of(0), 10);
}

// In order, a send waits for all receives before, although it carries none of what they bring.
TEST(Extents, InOrderSendsWaitForAllReceivesBefore) {
  std::vector<Lane> lanes(2, Lane(2));
  lanes[0][0].sends = {send(1, {0, 10})};
  lanes[1][0].recvs = {receive(0, {0, 10})};
  lanes[1][1].sends = {send(0, {20, 5})};
  lanes[0][1].recvs = {receive(1, {20, 5})};
  const auto topology = make_topology("single-switch(2)");
  auto plans = plans_of(lanes);
  EXPECT_DOUBLE_EQ(time_of(*topology, plans), 10);
  for (Plan& plan : plans) plan.stepping = Stepping::in_order;
  EXPECT_DOUBLE_EQ(time_of(*topology, plans), 15);
}

// Two of a step to one peer: 4 s and 4 s more. In two lanes they share: both end at 8.
TEST(Channel, OneMessageAtATime) {
  const auto topology = make_topology("single-switch(2)");
  const Lane out{{.sends = {send(1, {0, 4}), send(1, {4, 4})}}};
  const Lane in{{.recvs = {receive(0, {0, 4}), receive(0, {4, 4})}}};
  const Outcome one = recorded(*topology, plans_of({out, in}), kElementPerSecond);
  EXPECT_DOUBLE_EQ(posted(one, 0, {0, 4}), 0);
  EXPECT_DOUBLE_EQ(posted(one, 0, {4, 4}), 4);
  EXPECT_DOUBLE_EQ(one.end_of(0), 8);

  std::vector<Plan> lanes(2);
  for (std::size_t i = 0; i < 2; ++i) {
    lanes[0].lanes.push_back({{.sends = {send(1, {4 * i, 4})}}});
    lanes[1].lanes.push_back({{.recvs = {receive(0, {4 * i, 4})}}});
  }
  const Outcome two = recorded(*topology, lanes, kElementPerSecond);
  for (const SimulatedTransfer& transfer : two.transfers) {
    EXPECT_DOUBLE_EQ(transfer.posted, 0);
    EXPECT_DOUBLE_EQ(transfer.done, 8);
  }
}

// Both directions at once take as long as one.
TEST(Channel, FullDuplex) {
  const Lane zero{{.sends = {send(1, {0, 7})}, .recvs = {receive(1, {7, 7})}}};
  const Lane one{{.sends = {send(0, {7, 7})}, .recvs = {receive(0, {0, 7})}}};
  EXPECT_DOUBLE_EQ(time_of(*make_topology("single-switch(2)"), plans_of({zero, one})), 7);
}

// One step of messages of any sizes between all pairs: what the flows alone take.
TEST(Channel, AStepIsItsFlows) {
  for (const char* wiring : {"bcube(3,2)", "fat-tree(4)", "single-switch(5)", "torus(3,3)"}) {
    const auto topology = make_topology(wiring);
    const std::size_t hosts = topology->hosts();
    testing::Draws draws(hosts);
    std::vector<std::size_t> elements(hosts * hosts);
    for (std::size_t& count : elements) count = draws.between(1, 1000);
    std::vector<Plan> plans(hosts, {.lanes = {{{}}}});
    for (std::size_t from = 0; from < hosts; ++from) {
      for (std::size_t to = 0; to < hosts; ++to) {
        if (from == to) continue;
        const Extent what{0, elements[from * hosts + to]};
        plans[from].lanes[0][0].sends.push_back(
            {topologies::send_peer(*topology, Rank(from), Rank(to)), what});
        plans[to].lanes[0][0].recvs.push_back(
            {topologies::receive_peer(*topology, Rank(to), Rank(from)), what});
      }
    }
    auto flows = testing::ps_push(*topology, [&](Rank from, Rank to) {
      return static_cast<double>(elements[from.index() * hosts + to.index()]);
    });
    for (double& capacity : flows.capacities) capacity = 1;
    auto expected = completion_times(flows.capacities, flows.flows);
    std::vector<double> ends;
    for (const auto& transfer : recorded(*topology, plans, kElementPerSecond).transfers) {
      if (transfer.operation.kind == Operation::Kind::send) ends.push_back(transfer.done);
    }
    std::ranges::sort(expected);
    ASSERT_EQ(ends.size(), expected.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      EXPECT_NEAR(ends[i], expected[i], 1e-9 * expected[i]) << wiring;
    }
  }
}

/// 0 sends to 1 and that to 2, E elements, in each stage; stages are ready at these times.
std::vector<Stage> relayed(std::initializer_list<double> ready) {
  std::vector<Lane> lanes(3, Lane(2));
  lanes[0][0].sends = {send(1, {0, 10})};
  lanes[1][0].recvs = {receive(0, {0, 10})};
  lanes[1][1].sends = {send(2, {0, 10})};
  lanes[2][1].recvs = {receive(1, {0, 10})};
  std::vector<Stage> stages;
  for (const double time : ready) stages.push_back({.plans = plans_of(lanes), .ready = time});
  return stages;
}

void expect_stage(const Outcome& outcome, std::size_t rank, std::size_t stage, double start,
                  double end) {
  EXPECT_DOUBLE_EQ(outcome.stages[rank][stage].start, start) << rank << ' ' << stage;
  EXPECT_DOUBLE_EQ(outcome.stages[rank][stage].end, end) << rank << ' ' << stage;
}

// Rank 0 is done at 10 and goes ahead; what it sends in the next stage waits for rank 1, until 20.
TEST(Stages, ARankMayBeOneAhead) {
  const auto topology = make_topology("single-switch(3)");
  const Outcome outcome =
      simulate(WholeFabric(*topology), relayed({0, 0}), kElementPerSecond, {.record = true});
  expect_stage(outcome, 0, 0, 0, 10);
  expect_stage(outcome, 1, 0, 0, 20);
  expect_stage(outcome, 2, 0, 0, 20);
  expect_stage(outcome, 0, 1, 10, 30);
  expect_stage(outcome, 1, 1, 20, 40);
  expect_stage(outcome, 2, 1, 20, 40);
  EXPECT_DOUBLE_EQ(outcome.start_of(1), 20);
  EXPECT_DOUBLE_EQ(outcome.end_of(1), 40);
}

// A stage begins when it is ready and the one before is done, whichever is later.
TEST(Stages, BeginWhenReadyAndTheOneBeforeIsDone) {
  const auto topology = make_topology("single-switch(3)");
  const Outcome outcome =
      simulate(WholeFabric(*topology), relayed({5, 15, 100}), kElementPerSecond);
  expect_stage(outcome, 0, 0, 5, 15);
  expect_stage(outcome, 1, 0, 5, 25);
  expect_stage(outcome, 0, 1, 15, 35);
  expect_stage(outcome, 1, 1, 25, 45);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_DOUBLE_EQ(outcome.stages[rank][2].start, 100);
  }
  EXPECT_DOUBLE_EQ(outcome.end_of(2), 120);
}

// Who has nothing to do in a stage is done with it at once.
TEST(Stages, OneWithoutTransfersTakesNoTime) {
  const auto topology = make_topology("single-switch(2)");
  const Lane out{{.sends = {send(1, {0, 4})}}};
  const Lane in{{.recvs = {receive(0, {0, 4})}}};
  const Plan idle{.lanes = {{{}}}};
  const std::vector<Stage> stages{{.plans = plans_of({out, in})},
                                  {.plans = {idle, idle}, .ready = 2},
                                  {.plans = plans_of({out, in})}};
  const Outcome outcome = simulate(WholeFabric(*topology), stages, kElementPerSecond);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    expect_stage(outcome, rank, 1, 4, 4);
    expect_stage(outcome, rank, 2, 4, 8);
  }
}

}  // namespace
}  // namespace gradwire::simulator
