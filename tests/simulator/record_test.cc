#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/plan.h"
#include "simulator/simulation.h"
#include "tests/simulator/plans.h"
#include "topologies/registry.h"

/// What a simulation keeps of the transfers.
namespace gradwire::simulator {
namespace {

using testing::make_topology;
using testing::plans_of;
using testing::Topology;

constexpr NetworkModel kModel{.rate = 1e9, .alpha = 3e-8, .delay = 1e-8, .gamma = 1e-10};

/// Two stages of awkward sizes, of one buffer.
std::vector<StagedPlan> staged(const std::string& algorithm, const Topology& topology) {
  std::vector<std::vector<Plan>> plans(topology.hosts());
  for (const auto& [first, elements] : {std::pair{0, 1009}, std::pair{1009, 97}}) {
    auto all = plans_of(algorithm, topology, static_cast<std::size_t>(elements));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      plans[rank].push_back(shifted(std::move(all[rank]), static_cast<std::size_t>(first)));
    }
  }
  std::vector<StagedPlan> result;
  for (auto& one : plans) result.push_back(in_stages(std::move(one)));
  return result;
}

/// Elements by (rank, lane, peer, kind), and how many operations there are.
using Sums = std::map<std::tuple<std::size_t, std::size_t, Peer, Operation::Kind>, std::size_t>;

Sums planned(const std::vector<StagedPlan>& plans, std::size_t& operations) {
  Sums sums;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const auto& lanes = plans[rank].plan.lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const Step& step : lanes[lane]) {
        operations += step.sends.size() + step.recvs.size();
        for (const Send& send : step.sends) {
          sums[{rank, lane, send.to, Operation::Kind::send}] += send.what.count;
        }
        for (const Recv& recv : step.recvs) {
          sums[{rank, lane, recv.from, Operation::Kind::receive}] += recv.where.count;
        }
      }
    }
  }
  return sums;
}

void check(const std::string& algorithm, const Topology& topology) {
  const auto plans = staged(algorithm, topology);
  const double ready[] = {0, 1e-6};
  const Outcome outcome = simulate(WholeFabric(topology), plans, ready, kModel, {.record = true});
  std::size_t operations = 0;
  const Sums expected = planned(plans, operations);
  Sums sums;
  double last = 0;
  for (const SimulatedTransfer& transfer : outcome.transfers) {
    const StageTimes& stage = outcome.stages[transfer.actor][transfer.stage];
    EXPECT_LE(stage.start, transfer.posted);
    EXPECT_LT(transfer.posted, transfer.done);
    EXPECT_LE(transfer.done, stage.end);
    EXPECT_LE(last, transfer.done);
    last = transfer.done;
    const StepRange& steps = plans[transfer.actor].stages[transfer.stage];
    EXPECT_GE(transfer.operation.step, steps.first);
    EXPECT_LT(transfer.operation.step, steps.end());
    sums[{transfer.actor, transfer.lane, transfer.peer, transfer.operation.kind}] +=
        transfer.operation.extent.count;
  }
  EXPECT_EQ(outcome.transfers.size(), operations);
  EXPECT_EQ(2 * outcome.flows, operations);
  EXPECT_EQ(sums, expected);
  EXPECT_EQ(last, outcome.end_of(1));
}

// Stage start <= posted < done <= stage end, in the order of the ends; every operation of the Plans
// once, and what a channel carries is what the Plans say.
TEST(Record, EveryTransferOfTheStagesInsideThem) {
  for (const char* wiring : {"bcube(3,2)", "fat-tree(4)", "single-switch(6)", "rail-only(3,2)"}) {
    const auto topology = make_topology(wiring);
    for (const auto& [algorithm, make_plan] : testing::algorithms()) {
      if (!testing::fits(algorithm, *topology)) continue;
      SCOPED_TRACE(algorithm + " on " + wiring);
      check(algorithm, *topology);
    }
  }
}

// Recording changes nothing, and nothing is kept unasked.
TEST(Record, OnlyWhenAsked) {
  const auto topology = make_topology("bcube(3,2)");
  const WholeFabric fabric(*topology);
  const Outcome with = simulate(fabric, plans_of("bml", *topology, 1009), kModel, {.record = true});
  const Outcome without = simulate(fabric, plans_of("bml", *topology, 1009), kModel);
  EXPECT_TRUE(without.transfers.empty());
  EXPECT_EQ(without.end_of(0), with.end_of(0));
  EXPECT_EQ(without.flows, with.flows);
}

// From 0 to 1, never back.
TEST(Progress, Rises) {
  const auto topology = make_topology("fat-tree(6, ecmp)");  // hashed: every end shares anew
  std::vector<double> shares;
  SimulationOptions options;
  options.progress = [&](double done) { shares.push_back(done); };
  static_cast<void>(
      simulate(WholeFabric(*topology), plans_of("ps", *topology, 54'000), kModel, options));
  ASSERT_GE(shares.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_GE(shares.front(), 0);
  EXPECT_LE(shares.back(), 1);
  EXPECT_GT(shares.back(), shares.front());
}

// What the callback throws ends the simulation.
TEST(Progress, MayEndIt) {
  const auto topology = make_topology("fat-tree(6, ecmp)");
  SimulationOptions options;
  options.progress = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(static_cast<void>(simulate(WholeFabric(*topology), plans_of("ps", *topology, 54'000),
                                          kModel, options)),
               std::runtime_error);
}

}  // namespace
}  // namespace gradwire::simulator
