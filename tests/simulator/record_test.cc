#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
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

/// Elements by (stage, rank, lane, step, peer, kind), and how many operations there are.
using Sums =
    std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, Peer, Operation::Kind>,
             std::size_t>;

void add_planned(std::size_t stage, std::span<const Plan> plans, Sums& sums,
                 std::size_t& operations) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const auto& lanes = plans[rank].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (std::size_t step = 0; step < lanes[lane].size(); ++step) {
        const auto& [sends, recvs] = lanes[lane][step];
        operations += sends.size() + recvs.size();
        for (const Send& send : sends) {
          sums[{stage, rank, lane, step, send.to, Operation::Kind::send}] += send.what.count;
        }
        for (const Recv& recv : recvs) {
          sums[{stage, rank, lane, step, recv.from, Operation::Kind::receive}] += recv.where.count;
        }
      }
    }
  }
}

void check(const std::string& algorithm, const Topology& topology) {
  // Two stages of awkward sizes.
  const std::vector<Stage> stages{{.plans = plans_of(algorithm, topology, 1009)},
                                  {.plans = plans_of(algorithm, topology, 97), .ready = 1e-6}};
  const Outcome outcome = simulate(WholeFabric(topology), stages, kModel, {.record = true});
  std::size_t operations = 0;
  Sums expected;
  for (std::size_t i = 0; i < 2; ++i) add_planned(i, stages[i].plans, expected, operations);
  Sums sums;
  double last = 0;
  for (const SimulatedTransfer& transfer : outcome.transfers) {
    const StageTimes& stage = outcome.stages[transfer.actor][transfer.stage];
    EXPECT_LE(stage.start, transfer.posted);
    EXPECT_LT(transfer.posted, transfer.done);
    EXPECT_LE(transfer.done, stage.end);
    EXPECT_LE(last, transfer.done);
    last = transfer.done;
    sums[{transfer.stage, transfer.actor, transfer.lane, transfer.operation.step, transfer.peer,
          transfer.operation.kind}] += transfer.operation.extent.count;
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
