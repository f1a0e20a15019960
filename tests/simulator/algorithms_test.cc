#include <algorithm>
#include <bit>
#include <cstddef>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bml/plan.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "schedule/collective_cost.h"
#include "tests/simulator/plans.h"
#include "tests/simulator/rounding.h"
#include "topologies/registry.h"

/// Whole algorithms in virtual time, against what the papers say. An element takes a second, so
/// T_F is the number of elements.
namespace gradwire::simulator {
namespace {

using testing::kElementPerSecond;
using testing::make_topology;
using testing::time_of;
using testing::Topology;

/// An algorithm on a wiring where no two of its flows meet out of turn, and its GST in T_F.
struct Case {
  std::string algorithm;
  std::string wiring;
  double closed_form = 0;
};

std::vector<Case> bcube_cases() {
  std::vector<Case> cases;
  for (const auto& [n, k] : {std::pair{2U, 2U}, {3U, 2U}, {4U, 2U}, {2U, 3U}, {3U, 3U}}) {
    const std::string wiring = "bcube(" + std::to_string(n) + "," + std::to_string(k) + ")";
    const double hosts = static_cast<double>(make_topology(wiring)->hosts());
    cases.push_back({"bml", wiring, bml::closed_form(n, k)});
    cases.push_back({"staged-bcube", wiring, collectives::staged_bcube::closed_form(n, k)});
    cases.push_back({"hierarchical", wiring, 2 * (hosts - 1) / hosts});
    cases.push_back({"ring", wiring, 2 * (hosts - 1) / hosts});
    // All pairs load every direction of every cable with (n-1) n^(k-1) shares of 1/n^k.
    cases.push_back({"ps", wiring, 2.0 * (n - 1) / n});
  }
  return cases;
}

std::vector<Case> cases() {
  std::vector<Case> cases = bcube_cases();
  for (const std::size_t n : {2UL, 3UL, 5UL, 8UL, 16UL}) {
    const std::string wiring = "single-switch(" + std::to_string(n) + ")";
    cases.push_back({"ring", wiring, ringallreduce::closed_form(n)});
    cases.push_back({"ring(pieces=3)", wiring, ringallreduce::closed_form(n)});
    cases.push_back({"ps", wiring, 2.0 * static_cast<double>(n - 1) / static_cast<double>(n)});
    if (!std::has_single_bit(n)) continue;
    cases.push_back({"halving-doubling", wiring, collectives::halving_doubling::closed_form(n)});
  }
  for (const auto& [wiring, hosts] : {std::pair{"fat-tree(4)", 16U}, {"fat-tree(8)", 128U}}) {
    cases.push_back({"hierarchical", wiring, collectives::hierarchical::closed_form(hosts)});
    cases.push_back({"ring", wiring, ringallreduce::closed_form(hosts)});
    cases.push_back({"ps", wiring, 2.0 * (hosts - 1) / hosts});
  }
  for (const auto& [wiring, hosts, nics] : {std::tuple{"rail-only(4,3)", 4U, 3U},
                                            {"rail-only(7,2)", 7U, 2U},
                                            {"fat-tree(4,nics=2)", 16U, 2U},
                                            {"fat-tree(4,nics=4)", 16U, 4U}}) {
    cases.push_back(
        {"striped-rings", wiring, collectives::striped_rings::closed_form(hosts, nics)});
  }
  return cases;
}

/// What divides into equal parts for every algorithm.
std::size_t unit(const Topology& topology) {
  return 3 * topology.hosts() * topology.ports_per_host();
}

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.algorithm << " on " << one.wiring;
}

// GST = closed form * T_F.
TEST(ClosedForm, WhenTheElementsDivide) {
  for (const Case& one : cases()) {
    const auto topology = make_topology(one.wiring);
    for (const std::size_t units : {1, 7}) {
      const std::size_t elements = units * unit(*topology);
      const double expected = one.closed_form * static_cast<double>(elements);
      EXPECT_NEAR(time_of(one.algorithm, one.wiring, elements), expected, kRounding * expected)
          << one;
    }
  }
}

/// Of in-order Plans: ranks whose parts are an element smaller run ahead, and what they send shares
/// cables with what others wait for.
constexpr double kOutOfStep = 1.1;

// Between those of the next smaller and the next larger size that divides, or a little later where
// ranks get out of step.
TEST(ClosedForm, BetweenNeighboursWhenTheyDoNot) {
  for (const Case& one : cases()) {
    const auto topology = make_topology(one.wiring);
    const std::size_t u = unit(*topology);
    for (const std::size_t elements : {u / 2, 2 * u - 1, 5 * u + u / 3}) {
      const auto below = static_cast<double>(elements / u * u);
      const auto above = static_cast<double>((elements + u - 1) / u * u);
      const double time = time_of(one.algorithm, one.wiring, elements);
      EXPECT_GE(time, one.closed_form * below * (1 - kRounding)) << one << ' ' << elements;
      const auto plan = testing::algorithms().at(one.algorithm)(*topology, Rank(0), elements);
      const double late = plan.stepping == Stepping::in_order ? kOutOfStep : 1 + kRounding;
      EXPECT_LE(time, one.closed_form * above * late) << one << ' ' << elements;
    }
  }
}

// The rank that is alone sends its gradient while the eight others halve, and gets the sums while they
// double: 2 T_F. Of more blocks each waits for all smaller ones: 2(1/B_1 + ... + 1/B_(K-1)) T_F. Folded, nine
// ranks need more than the 3.75 gradients of the busiest port, and all need half as long again as blocks.
TEST(HalvingDoubling, BlocksJoinWhileOthersHalve) {
  constexpr std::size_t kElements = 16 * 90;
  const auto in_gradients = [](const char* algorithm, std::size_t hosts) {
    return time_of(algorithm, fmt::format("single-switch({})", hosts), kElements) / kElements;
  };
  const std::vector<std::pair<std::size_t, double>> known = {
      {3, 2},  {6, 2},    {9, 2},    {12, 2},   {7, 3},
      {11, 3}, {13, 2.5}, {15, 3.5}, {21, 2.5}, {31, 3.75}};
  for (const auto& [hosts, times] : known) {
    EXPECT_NEAR(in_gradients("halving-doubling", hosts), times, 0.01) << hosts;
    EXPECT_GT(in_gradients("halving-doubling(fold)", hosts), 1.49 * times) << hosts;
  }
  EXPECT_GT(in_gradients("halving-doubling(fold)", 9), 3.75);
}

/// a + b M of schedule/collective_cost.h.
struct Cost {
  std::string algorithm;
  std::string wiring;
  schedule::Affine (*cost)(const schedule::Network& network);
};

std::vector<Cost> costs() {
  using schedule::Network;
  return {
      {"ring", "single-switch(5)", [](const Network& n) { return schedule::ring(5, n); }},
      {"ring", "bcube(3,2)", [](const Network& n) { return schedule::ring(9, n); }},
      {"ring", "fat-tree(4)", [](const Network& n) { return schedule::ring(16, n); }},
      {"ps", "single-switch(5)", [](const Network& n) { return schedule::parameter_server(5, n); }},
      {"ps", "fat-tree(4)", [](const Network& n) { return schedule::parameter_server(16, n); }},
      {"bml", "bcube(3,2)", [](const Network& n) { return schedule::bml(3, 2, n); }},
      {"bml", "bcube(2,3)", [](const Network& n) { return schedule::bml(2, 3, n); }},
      {"bml", "bcube(4,1)", [](const Network& n) { return schedule::bml(4, 1, n); }},
      {"halving-doubling", "single-switch(8)",
       [](const Network& n) { return schedule::halving_doubling(8, n); }},
  };
}

// With start-up times and additions: ring 2(N-1) alpha, PS 2 alpha, BML 2k alpha, and so on.
TEST(Cost, AsTheTableHasIt) {
  for (const Cost& one : costs()) {
    const auto topology = make_topology(one.wiring);
    const std::size_t elements = 4 * unit(*topology);
    for (const auto& [alpha, gamma] :
         {std::pair{0.0, 0.0}, {2.5, 0.0}, {0.0, 0.3}, {2.5, 0.3}, {1e-7, 1e-8}}) {
      const NetworkModel model{.rate = sizeof(float), .alpha = alpha, .gamma = gamma};
      const schedule::Affine cost =
          one.cost({.alpha = Seconds(alpha), .beta = 1 / model.rate, .gamma = gamma});
      const double expected =
          cost.a.count() + cost.b * static_cast<double>(elements * sizeof(float));
      EXPECT_NEAR(time_of(one.algorithm, one.wiring, elements, model), expected,
                  kRounding * expected)
          << one.algorithm << ' ' << one.wiring << ' ' << alpha << ' ' << gamma;
    }
  }
}

// Four hosts, E elements each to each. Uplinks of speed s carry four flows, host cables three:
// s <= 4/3: s/4 for those between leaves; a neighbour's, faster, does not hold anything up.
// s >= 4/3: everybody has 1/3 of his cable.
TEST(UnequalSpeeds, ParameterServerOverUplinks) {
  const auto wiring = [](const char* s) {
    return std::string("leaf-spine(2,2,1,speed=") + s + ")";
  };
  EXPECT_DOUBLE_EQ(time_of("ps", wiring("0.5"), 4 * 12), 2 * 12 * 8);
  EXPECT_DOUBLE_EQ(time_of("ps", wiring("0.25"), 4 * 12), 2 * 12 * 16);
  EXPECT_DOUBLE_EQ(time_of("ps", "leaf-spine(2,2,1)", 4 * 12), 2 * 12 * 4);
  EXPECT_DOUBLE_EQ(time_of("ps", wiring("2"), 4 * 12), 2 * 12 * 3);
}

// 1 -> 2 and 3 -> 0 alone on an uplink each: 6 chunks of E, at s < 1 without a pause.
TEST(UnequalSpeeds, RingOverUplinks) {
  EXPECT_DOUBLE_EQ(time_of("ring", "leaf-spine(2,2,1,speed=0.5)", 4 * 12), 6 * 12 * 2);
  EXPECT_DOUBLE_EQ(time_of("ring", "leaf-spine(2,2,1,speed=4)", 4 * 12), 6 * 12);
}

// Flows that a hash puts on one cable share it. No seed is faster than no collisions, some slower.
TEST(Ecmp, CollisionsNeverHelp) {
  const double ideal = time_of("ps", "fat-tree(4)", 16 * 12);
  double worst = 0;
  for (std::size_t seed = 1; seed <= 20; ++seed) {
    const std::string wiring = "fat-tree(4,ecmp,seed=" + std::to_string(seed) + ")";
    const double time = time_of("ps", wiring, 16 * 12);
    EXPECT_GE(time, ideal * (1 - kRounding)) << seed;
    worst = std::max(worst, time);
  }
  EXPECT_GT(worst, ideal * 1.05);
}

/// Every algorithm on some wirings, with sizes that do not divide.
template <class Check>
void for_each_run(const Check& check) {
  for (const char* wiring : {"bcube(3,2)", "fat-tree(4)", "single-switch(6)", "torus(3,3)",
                             "rail-only(4,2)", "leaf-spine(2,3,2,speed=0.7)"}) {
    const auto topology = make_topology(wiring);
    for (const auto& [algorithm, make_plan] : testing::algorithms()) {
      if (!testing::fits(algorithm, *topology)) continue;
      SCOPED_TRACE(algorithm + " on " + wiring);
      for (const std::size_t elements : {7, 1009}) {
        check(*topology, testing::plans_of(algorithm, *topology, elements));
      }
    }
  }
}

constexpr NetworkModel kAwkward{.rate = 1.7e9, .alpha = 3.1e-8, .delay = 0.9e-8, .gamma = 1.3e-10};

// Twice the same is the same to the last bit.
TEST(Algorithms, Deterministic) {
  for_each_run([](const Topology& topology, const std::vector<Plan>& plans) {
    const WholeFabric fabric(topology);
    const Outcome a = simulate(fabric, plans, kAwkward, {.record = true});
    const Outcome b = simulate(fabric, plans, kAwkward, {.record = true});
    ASSERT_EQ(a.transfers.size(), b.transfers.size());
    for (std::size_t i = 0; i < a.transfers.size(); ++i) {
      EXPECT_EQ(a.transfers[i].actor, b.transfers[i].actor);
      EXPECT_EQ(a.transfers[i].peer, b.transfers[i].peer);
      EXPECT_EQ(a.transfers[i].operation.extent, b.transfers[i].operation.extent);
      EXPECT_EQ(a.transfers[i].posted, b.transfers[i].posted);
      EXPECT_EQ(a.transfers[i].done, b.transfers[i].done);
    }
    for (std::size_t i = 0; i < a.stages.size(); ++i) {
      EXPECT_EQ(a.stages[i].front().end, b.stages[i].front().end);
    }
  });
}

// Everything twice as fast is half the time.
TEST(Algorithms, TwiceAsFastIsHalfTheTime) {
  const NetworkModel twice{.rate = kAwkward.rate * 2,
                           .alpha = kAwkward.alpha / 2,
                           .delay = kAwkward.delay / 2,
                           .gamma = kAwkward.gamma / 2};
  for_each_run([&](const Topology& topology, const std::vector<Plan>& plans) {
    const double time = time_of(topology, plans, kAwkward);
    EXPECT_NEAR(time_of(topology, plans, twice), time / 2, kRounding * time);
  });
}

// A longer start-up makes nothing shorter. (Where flows collide it may: it can pull apart those
// that share a cable.)
TEST(Algorithms, ALongerStartUpTakesLonger) {
  for (const Case& one : cases()) {
    const auto topology = make_topology(one.wiring);
    const auto plans = testing::plans_of(one.algorithm, *topology, 4 * unit(*topology));
    double before = 0;
    for (const double alpha : {0.0, 0.7, 50.0}) {
      const double time = time_of(*topology, plans, {.rate = sizeof(float), .alpha = alpha});
      EXPECT_GT(time, before) << one << ' ' << alpha;
      before = time;
    }
  }
}

// Why Stepping::in_order exists: a rank that runs ahead takes bandwidth from those that others
// wait for.
TEST(Algorithms, HierarchicalOverlappedIsSlower) {
  const auto topology = make_topology("fat-tree(4)");
  const std::size_t elements = 4 * unit(*topology);
  auto plans = testing::plans_of("hierarchical", *topology, elements);
  const double in_order = time_of(*topology, plans);
  for (Plan& plan : plans) plan.stepping = Stepping::overlapped;
  EXPECT_GT(time_of(*topology, plans), in_order * 1.1);
}

}  // namespace
}  // namespace gradwire::simulator
