#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/bruck.h"
#include "collectives/member.h"
#include "simulator/simulation.h"
#include "tests/simulator/plans.h"
#include "topologies/least_time.h"

/// Plans on links whose ports queue pieces (simulator/queue_network.h).
namespace gradwire::simulator {
namespace {

using testing::algorithms;
using testing::fits;
using testing::plans_of;
using testing::time_of;

/// Elements of 4 bytes in pieces of one, over links of an element per second.
constexpr NetworkModel kElements{
    .rate = sizeof(float),
    .sockets = SocketModel{.segment = sizeof(float), .window = 1 << 20, .unsent = 0}};

// A piece stands for one element, and the bucket of every link holds one: a ring on a switch of N
// hosts takes 2(N - 1) steps of M/N elements without a pause, the first element of which is there at
// once.
TEST(SimulatedQueues, ARingTakesItsClosedForm) {
  constexpr std::size_t kEach = 50;
  for (const std::size_t hosts : {2U, 4U, 7U}) {
    const std::string wiring = "single-switch(" + std::to_string(hosts) + ")";
    const double steps = 2.0 * static_cast<double>(hosts - 1);
    EXPECT_NEAR(time_of("ring", wiring, kEach * hosts, kElements), steps * kEach - 1, 1e-6)
        << wiring;
  }
}

/// Rank 0 of two on a switch sends 50 elements to rank 1, which adds them.
std::vector<Plan> one_message() {
  Plan sender{.lanes = {{Step{.sends = {testing::send(1, {0, 50})}}}}};
  Plan receiver{.lanes = {{Step{.recvs = {testing::receive(0, {0, 50}, Combine::add)}}}}};
  return {sender, receiver};
}

// 50 elements take 49 s; two cables of 3 s, 7 s before it starts, and 4 s for each element that is added.
TEST(SimulatedQueues, CablesStartUpsAndAdditionsTakeTheirTime) {
  const auto topology = topologies::make_topology("single-switch(2)");
  NetworkModel model = kElements;
  model.delay = 3;
  model.alpha = 7;
  EXPECT_NEAR(time_of(*topology, one_message(), model), 49 + 2 * 3 + 7, 1e-9);
  model.gamma = 1;  // per byte
  EXPECT_NEAR(time_of(*topology, one_message(), model), 49 + 2 * 3 + 7 + 4 * 50, 1e-9);
}

/// How long rank 0 of four on a switch takes to send 100 elements to rank 1, two under way, while ranks
/// 2 and 3 send it 50 each.
double into_an_incast(bool queued) {
  using testing::receive;
  using testing::send;
  const std::vector<Plan> plans = {
      {.lanes = {{Step{.sends = {send(1, {0, 100})},
                       .recvs = {receive(2, {0, 50}), receive(3, {50, 50})}}}}},
      {.lanes = {{Step{.recvs = {receive(0, {0, 100})}}}}},
      {.lanes = {{Step{.sends = {send(0, {0, 50})}}}}},
      {.lanes = {{Step{.sends = {send(0, {50, 50})}}}}}};
  NetworkModel model = kElements;
  model.sockets->window = 2 * sizeof(float);
  model.sockets->queued_acknowledgements = queued;
  return time_of(*topologies::make_topology("single-switch(4)"), plans, model);
}

// Two at a time are enough where nothing waits, and the incast has as many bytes: 99 s each. But four
// pieces of the incast stand in the port to rank 0, and acknowledgements of what it sends behind them.
TEST(SimulatedQueues, AcknowledgementsWaitBehindAnIncast) {
  EXPECT_NEAR(into_an_incast(false), 99, 1e-9);
  EXPECT_GT(into_an_incast(true), 120);
}

// The socket takes both messages at once, and sends them one after the other: 49 s, then 50 s. Two connections would take
// turns, and the first message would end last but for two pieces.
TEST(SimulatedQueues, WhatComesNextGoesOverTheSameConnection) {
  const auto topology = topologies::make_topology("single-switch(2)");
  NetworkModel model = kElements;
  model.sockets->unsent = 1 << 20;
  const Outcome outcome =
      simulate(WholeFabric(*topology),
               std::vector<Stage>{{.plans = one_message()}, {.plans = one_message()}}, model, {});
  EXPECT_NEAR(outcome.end_of(0), 49, 1e-9);
  EXPECT_NEAR(outcome.end_of(1), 99, 1e-9);
}

/// How long Bruck's all-reduce of 13.1 MB takes on BCube(3,2), in T_F of one link, where links are as
/// uneven as this.
double brucks_all_reduce(double unevenness) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const std::vector<std::size_t> sizes(9, 364'089);
  const Group group = collectives::everyone(*topology);
  std::vector<Plan> plans;
  for (std::size_t place = 0; place < group.size(); ++place) {
    const collectives::Member self{.topology = *topology, .group = group, .place = place};
    Plan plan = collectives::bruck::reduce_scatter(self, sizes);
    const Plan shares = collectives::bruck::all_gather(self, sizes);
    for (const Step& step : shares.lanes.at(0)) plan.lanes.at(0).push_back(step);
    plans.push_back(std::move(plan));
  }
  const SocketModel sockets{
      .segment = 62'636, .window = 1 << 18, .unsent = 1 << 17, .unevenness = unevenness};
  const NetworkModel model{
      .rate = 9 * 364'089 * sizeof(float), .burst = 73'000, .sockets = sockets};
  return time_of(*topology, std::move(plans), model);
}

// In step no two messages share a link, and each half takes (N-1)/N T_F (collectives/bruck.h). Links that are 0.3 % apart
// are enough for hosts to be out of step, as emulated ones are (docs/collectives.md, all-reduce(bruck) in the run goals).
TEST(SimulatedQueues, UnevenLinksPutHostsOutOfStep) {
  const double in_step = 2 * collectives::bruck::closed_form(9);
  EXPECT_NEAR(brucks_all_reduce(0), in_step, 0.01 * in_step);
  EXPECT_GT(brucks_all_reduce(0.003), 1.3 * in_step);
}

/// How long double trees of 12.5 MiB take on a switch with eight hosts, in T_F of one link, with windows
/// of so many bytes.
double double_trees(std::uint64_t window, bool queued) {
  constexpr std::size_t kElementsOfAll = 3'276'800;
  const SocketModel sockets{
      .segment = 62'636, .window = window, .unsent = 1 << 17, .queued_acknowledgements = queued};
  const NetworkModel model{
      .rate = kElementsOfAll * sizeof(float), .burst = 73'000, .sockets = sockets};
  return time_of("double-tree", "single-switch(8)", kElementsOfAll, model);
}

// What a host sends up and down both trees stands before the acknowledgements of what it receives. With a
// window of 0.5 MB it waits for them, as emulated hosts do (docs/simulation.md).
TEST(SimulatedQueues, WindowsHoldDoubleTreesBack) {
  constexpr std::uint64_t kOpenWindow = 507'904;
  EXPECT_GT(double_trees(kOpenWindow, true), 1.03 * double_trees(8 * kOpenWindow, true));
  EXPECT_LT(double_trees(kOpenWindow, false), 1.02 * double_trees(8 * kOpenWindow, false));
}

// No port passes more than its rate and its bucket, so queues are no faster than the busiest port
// allows. Ports are never idle while something waits, so they are not much slower than flows. Every
// algorithm ends, twice at the same time, to the bit; also when acknowledgements wait.
TEST(SimulatedQueues, EveryAlgorithmEndsNoEarlierThanItsBusiestPort) {
  NetworkModel acknowledged = kElements;
  acknowledged.sockets->queued_acknowledgements = true;
  for (const auto& [name, make] : algorithms()) {
    for (const char* wiring : {"single-switch(5)", "bcube(3,2)", "fat-tree(4)"}) {
      const auto topology = topologies::make_topology(wiring);
      if (!fits(name, *topology)) continue;
      const std::size_t elements = 20 * topology->hosts() * topology->ports_per_host();
      const double least =
          topologies::least_time(*topology, plans_of(name, *topology, elements), 1);
      const double as_flows = time_of(name, wiring, elements);
      for (const NetworkModel& model : {kElements, acknowledged}) {
        const double time = time_of(name, wiring, elements, model);
        EXPECT_GE(time, least - 1e-6) << name << " on " << wiring;
        EXPECT_LE(time, 1.5 * as_flows) << name << " on " << wiring;
        EXPECT_EQ(time, time_of(name, wiring, elements, model)) << name << " on " << wiring;
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
