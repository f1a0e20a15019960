#include "collectives/hybrid.h"

#include <cstdint>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bml/plan.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "core/error.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/collectives/plans.h"

/// Hybrid parallelism: inputs to the host of the stack, errors back, gradients by any all-reduce.
namespace gradwire::collectives::hybrid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_topology;
using testing::plans_of;
using testing::Topology;

const ps::Options kServer{.servers = 1, .dedicated = true};

/// Elements that all ports send, and receive, together.
struct Moved {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

Moved moved(std::span<const Plan> plans) {
  Moved all;
  for (const Plan& plan : plans) {
    for (const PortCount& port : count_ports(plan)) {
      all.sent += port.sent;
      all.received += port.received;
    }
  }
  return all;
}

std::vector<Plan> served(const Topology& topology, std::size_t elements, const Stack& stack) {
  const Goal summed = ps::goal(topology.hosts(), elements, kServer);
  return plans_of(topology, [&](Rank rank) {
    return plan(topology, rank, ps::plan(topology, rank, elements, kServer), summed, stack);
  });
}

std::vector<Plan> ringed(const Topology& topology, std::size_t elements, const Stack& stack) {
  const Goal summed = all_reduce(topology.hosts(), elements);
  return plans_of(topology, [&](Rank rank) {
    return plan(topology, rank, ringallreduce::plan(topology, rank, elements), summed, stack);
  });
}

// Late-multiply (2017), Table 2: 2 n |W_conv| + 2 B 9216 elements, B = n M, are 54, 89 and 161 MiB on 2, 4
// and 8 workers of AlexNet: 53.6, 89.2 and 160.5. All ports together send them and receive them; the port
// of the server alone sends half and receives half.
TEST(Hybrid, PortsCarryTable2) {
  constexpr std::size_t kConvolutions = 60'965'224 - 58'631'144;
  constexpr double kMiB = 1048576;
  for (const auto& [workers, mib] : {std::pair{2u, 53.6}, {4u, 89.2}, {8u, 160.5}}) {
    const auto topology = make_topology(fmt::format("single-switch({})", workers + 1));
    const std::size_t inputs = 256 / workers * 9216;
    const auto plans = served(*topology, kConvolutions, {.host = Rank(0), .inputs = inputs});
    const Moved all = moved(plans);
    EXPECT_EQ(all.sent, 2 * workers * (kConvolutions + inputs));
    EXPECT_EQ(all.received, all.sent);
    EXPECT_NEAR(4 * static_cast<double>(all.sent) / kMiB, mib, 0.05);
    const Moved server = moved({&plans[0], 1});
    EXPECT_EQ(server.sent, all.sent / 2);
    EXPECT_EQ(server.received, all.sent / 2);
  }
}

// With the stack on a worker and a ring among the n workers: 2 (n-1) (W + A).
TEST(Hybrid, OthersAloneMoveInputsToAWorker) {
  for (const std::size_t workers : {2u, 4u, 8u}) {
    const auto topology = make_topology(fmt::format("single-switch({})", workers));
    const Moved all = moved(ringed(*topology, 840, {.host = Rank(1), .inputs = 77}));
    EXPECT_EQ(all.sent, 2 * (workers - 1) * (840 + 77)) << workers;
    EXPECT_EQ(all.received, all.sent);
  }
}

// One worker sends its inputs to the host of the stack, and its gradients to a server; what is on one
// device moves nothing.
TEST(Hybrid, OneWorkerHasTheStackElsewhere) {
  const auto topology = make_topology("single-switch(2)");
  const Goal summed = ps::goal(2, 10, kServer);
  EXPECT_EQ(moved(served(*topology, 10, {.host = Rank(0), .inputs = 3})).sent, 2u * (10 + 3));
  EXPECT_EQ(moved(served(*topology, 10, {.host = Rank(1), .inputs = 3})).sent, 2u * 10);
  EXPECT_EQ(busiest_port(summed, {.host = Rank(1), .inputs = 3}), 0);
  EXPECT_EQ(busiest_port(summed, {.host = Rank(0), .inputs = 3}), 3);
}

// Gradients first, then inputs by worker, then errors. Rank 0 serves and has the stack.
TEST(Hybrid, AServersStagesFollowEachOther) {
  const auto topology = make_topology("single-switch(3)");
  const auto plans = served(*topology, 10, {.host = Rank(0), .inputs = 4});
  EXPECT_THAT(testing::transfers(plans, 0),
              ElementsAre("1 -> 0: [10,14) put", "2 -> 0: [14,18) put"));
  EXPECT_THAT(testing::transfers(plans, 1),
              ElementsAre("0 -> 1: [18,22) put", "0 -> 2: [22,26) put"));
  EXPECT_THAT(testing::transfers(plans, 2),
              ElementsAre("1 -> 0: [0,10) add", "2 -> 0: [0,10) add"));
  EXPECT_EQ(plans[0].stepping, Stepping::in_order) << "errors come of all inputs";
}

// Sums in a fixed order keep it, and their stages do not overlap either.
TEST(Hybrid, StagesWithOrderedSumsFollowEachOther) {
  const ps::Options fixed{.servers = 1, .dedicated = true, .fixed_order = true};
  const auto topology = make_topology("single-switch(3)");
  const Stack stack{.host = Rank(0), .inputs = 4};
  const Goal summed = ps::goal(3, 6, fixed);
  const std::vector<Plan> plans = plans_of(*topology, [&](Rank rank) {
    return plan(*topology, rank, ps::plan(*topology, rank, 6, fixed), summed, stack);
  });
  EXPECT_THAT(check_plans(plans, goal(summed, stack)), IsEmpty());
  for (const Plan& plan : plans) EXPECT_EQ(plan.stepping, Stepping::one_by_one);
}

TEST(Hybrid, GoalHasAllThree) {
  const Goal whole = goal(all_reduce(3, 10), {.host = Rank(2), .inputs = 4});
  EXPECT_EQ(whole.elements, 10u + 12 + 12);
  EXPECT_THAT(whole.begins[0], ElementsAre(Extent{0, 10}, Extent{10, 4}));
  EXPECT_THAT(whole.ends[0], ElementsAre(Extent{0, 10}, Extent{22, 4}));
  EXPECT_THAT(whole.begins[2], ElementsAre(Extent{0, 10}, Extent{18, 4}, Extent{22, 12}));
  EXPECT_THAT(whole.ends[2], ElementsAre(Extent{0, 10}, Extent{10, 12}, Extent{30, 4}));
  EXPECT_THROW(static_cast<void>(goal(all_reduce(3, 10), {.host = Rank(3), .inputs = 4})),
               InputError);
}

// The checker proves the whole on any host, with one lane, with trees of several, and with BML's lanes,
// each of which carries its share of inputs and errors, of fewer elements than lanes, too.
TEST(Hybrid, AnyAlgorithmSumsTheGradients) {
  const auto topology = make_topology("bcube(2,3)");
  const auto prove = [&](const char* name, const auto& make_plan) {
    for (const std::size_t inputs : {1u, 2u, 97u}) {
      const Stack stack{.host = Rank(inputs % 8), .inputs = inputs};
      const Goal summed = all_reduce(8, 101);
      const auto plans = plans_of(*topology, [&](Rank rank) {
        return plan(*topology, rank, make_plan(*topology, rank, 101), summed, stack);
      });
      EXPECT_THAT(check_plans(plans, goal(summed, stack)), IsEmpty()) << name << " " << inputs;
      EXPECT_EQ(plans[0].lanes.size(), make_plan(*topology, Rank(0), 101).lanes.size()) << name;
    }
  };
  prove("bml", [](const Topology& t, Rank rank, std::size_t n) { return bml::plan(t, rank, n); });
  prove("ring", [](const Topology& t, Rank rank, std::size_t n) {
    return ringallreduce::plan(t, rank, n);
  });
  prove("ring(fixed-order)", [](const Topology& t, Rank rank, std::size_t n) {
    return ringallreduce::plan(t, rank, n, {.fixed_order = true});
  });
  prove("double-tree", [](const Topology& t, Rank rank, std::size_t n) {
    return double_binary_tree::plan(t, rank, n);
  });
  prove("halving", [](const Topology& t, Rank rank, std::size_t n) {
    return halving_doubling::plan(t, rank, n);
  });
}

// A host among n workers receives n-1 inputs and the sums; the mean of what n workers receive is
// 2 (n-1)/n (W + A).
TEST(Hybrid, TheBusiestPortReceivesAsMuchAsItMust) {
  const Goal all = all_reduce(4, 100);
  EXPECT_DOUBLE_EQ(busiest_port(all, {.host = Rank(0), .inputs = 50}), 3 * 50 + 100);
  EXPECT_DOUBLE_EQ(busiest_port(all, {.host = Rank(0), .inputs = 2}), 1.5 * (100 + 2));
  const Goal others = ps::goal(5, 100, kServer);
  EXPECT_DOUBLE_EQ(busiest_port(others, {.host = Rank(0), .inputs = 50}), 200);
  EXPECT_DOUBLE_EQ(busiest_port(others, {.host = Rank(0), .inputs = 2}), 102);
}

}  // namespace
}  // namespace gradwire::collectives::hybrid
