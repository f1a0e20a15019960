#include "collectives/byteps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "topologies/least_time.h"
#include "topologies/registry.h"

/// BytePS's division against the paper's formulas, n workers and k servers on one switch.
namespace gradwire::collectives::byteps {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using topologies::make_topology;
using topologies::Topology;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements, const Options& options) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(plan(topology, Rank(i), elements, options));
  }
  return plans;
}

std::unique_ptr<const Topology> one_switch(std::size_t hosts) {
  return make_topology(fmt::format("single-switch({})", hosts));
}

/// D = n^2 + kn - 2k.
std::size_t denominator(std::size_t n, std::size_t k) {
  return n * n + k * n - 2 * k;
}

template <class Check>
void for_each_size(std::size_t most, const Check& check) {
  for (std::size_t ranks = 2; ranks <= most; ++ranks) {
    for (std::size_t k = 0; k <= ranks / 2; ++k) {
      SCOPED_TRACE(fmt::format("{} workers, {} servers", ranks - k, k));
      check(ranks - k, k);
    }
  }
}

TEST(BytePs, SumsCorrectlyWhateverTheElementCount) {
  for_each_size(33, [](std::size_t n, std::size_t k) {
    const auto topology = one_switch(n + k);
    for (const std::size_t elements : {1u, 97u, 1009u}) {
      const Options options{.servers = k, .pieces = 1 + (elements + n) % 4};
      EXPECT_THAT(check_plans(plans_of(*topology, elements, options), goal(n + k, elements, k)),
                  IsEmpty())
          << elements;
    }
  });
}

TEST(BytePs, SumsCorrectlyOnOtherWirings) {
  for (const char* wiring : {"bcube(3,2)", "fat-tree(4)", "torus(3,3)", "leaf-spine(2,3,2)"}) {
    const auto topology = make_topology(wiring);
    for (const std::size_t k : {0u, 1u, 3u}) {
      EXPECT_THAT(
          check_plans(plans_of(*topology, 997, {.servers = k}), goal(topology->hosts(), 997, k)),
          IsEmpty())
          << wiring << ' ' << k;
    }
  }
}

// M_S = 2(n-1)/D M and M_W = (n-k)/D M, which add up to M; when D does not divide M, an element off
// at most.
TEST(BytePs, SharesAreThePapers) {
  for_each_size(33, [](std::size_t n, std::size_t k) {
    if (n == 1) return;
    const std::size_t d = denominator(n, k);
    for (const std::size_t elements : {std::size_t{0}, std::size_t{1}, d - 1, d, 7 * d, 7 * d + 3,
                                       std::size_t{1'000'003}, std::size_t{1} << 40}) {
      const std::vector<Extent> owned = shares(n + k, elements, k);
      std::size_t first = 0;
      for (std::size_t i = 0; i < n + k; ++i) {
        const auto weight = static_cast<long double>(i < k ? 2 * (n - 1) : n - k);
        const long double exact = static_cast<long double>(elements) * weight / d;
        EXPECT_LE(std::abs(static_cast<long double>(owned[i].count) - exact), 1) << elements;
        if (elements % d == 0) {
          EXPECT_EQ(owned[i].count, elements / d * (i < k ? 2 * (n - 1) : n - k));
        }
        EXPECT_EQ(owned[i].first, first);
        first = owned[i].end();
      }
      EXPECT_EQ(first, elements) << "all elements are owned";
    }
  });
}

// With n = 2, k = 1: D = 4, a server owns half and workers a quarter each.
TEST(BytePs, SmallestMixture) {
  EXPECT_EQ(shares(3, 100, 1), (std::vector<Extent>{{0, 50}, {50, 25}, {75, 25}}));
  EXPECT_EQ(shares(3, 102, 1), (std::vector<Extent>{{0, 52}, {52, 25}, {77, 25}}));
  EXPECT_DOUBLE_EQ(load(3, 1), 1);
}

// Every port carries L = 2n(n-1)/D M in either direction: equal when D divides M, and otherwise off
// by no more than an element from or for each of the others.
TEST(BytePs, EveryPortCarriesTheSame) {
  for_each_size(33, [](std::size_t n, std::size_t k) {
    if (n == 1) return;
    const auto topology = one_switch(n + k);
    for (const std::size_t elements : {3 * denominator(n, k), std::size_t{10'007}}) {
      const double exact = load(n + k, k) * static_cast<double>(elements);
      const double off = elements % denominator(n, k) == 0 ? exact * 1e-12 : static_cast<double>(n);
      for (const Plan& plan : plans_of(*topology, elements, {.servers = k, .pieces = 5})) {
        const PortCount port = count_ports(plan).at(0);
        EXPECT_NEAR(static_cast<double>(port.sent), exact, off) << elements;
        EXPECT_NEAR(static_cast<double>(port.received), exact, off) << elements;
      }
    }
  });
}

// Theorem 1: whatever part x of a gradient each server owns, the workers owning the rest, the busiest
// port carries no less than L.
TEST(BytePs, NoOtherDivisionHasALighterBusiestPort) {
  for_each_size(20, [](std::size_t n, std::size_t k) {
    if (n == 1 || k == 0) return;
    const auto workers = static_cast<double>(n);
    const auto servers = static_cast<double>(k);
    const double ours = load(n + k, k);
    double least = 1e9;
    for (double x = 0; x <= 1 / servers; x += 1e-4 / servers) {
      const double worker = (1 - servers * x) / workers;
      least = std::min(least, std::max(workers * x, 1 + (workers - 2) * worker));
    }
    EXPECT_GE(least, ours * (1 - 1e-9));
    EXPECT_LE(least, ours * 1.001) << "the search comes close";
  });
}

// The ends of the range: no server gives the bytes of an all-reduce, n of them one gradient.
TEST(BytePs, IsAllReduceWithoutServersAndMWithAsMany) {
  for (const std::size_t n : {2u, 5u, 8u, 16u}) {
    const auto ranks = static_cast<double>(n);
    EXPECT_DOUBLE_EQ(load(n, 0), 2 * (ranks - 1) / ranks);
    EXPECT_DOUBLE_EQ(closed_form(n, {.servers = 0, .pieces = 4}), 2 * (ranks - 1) / ranks);
    EXPECT_DOUBLE_EQ(load(2 * n, n), 1);
    EXPECT_DOUBLE_EQ(closed_form(2 * n, {.servers = n, .pieces = 4}), 1.25);
  }
  for (const Plan& plan : plans_of(*one_switch(8), 800, {.servers = 4, .pieces = 2})) {
    for (const Step& step : std::span(plan.lanes.front()).subspan(2)) EXPECT_EQ(step, Step{});
  }
}

// (1 + 1/S) L is what links allow these Plans: the first pull waits for the first push.
TEST(BytePs, ClosedFormIsTheBound) {
  for_each_size(12, [](std::size_t n, std::size_t k) {
    if (n == 1) return;
    const auto topology = one_switch(n + k);
    for (const std::size_t pieces : {1u, 4u, 32u}) {
      const std::size_t elements = denominator(n, k) * pieces;
      const Options options{.servers = k, .pieces = pieces};
      const double expected = closed_form(n + k, options) * static_cast<double>(elements);
      EXPECT_NEAR(topologies::least_time(*topology, plans_of(*topology, elements, options)),
                  expected, 1e-9 * expected)
          << pieces;
    }
  });
}

// A share of 40 MB travels as 32 extents, one of 200 KB as three, one of 4 bytes as one.
TEST(BytePs, PiecesGrowWithTheShare) {
  EXPECT_EQ(default_pieces(3, 20'000'000, 1), 32u);
  EXPECT_EQ(default_pieces(3, 100'000, 1), 3u);
  EXPECT_EQ(default_pieces(3, 2, 1), 1u);
  EXPECT_EQ(default_pieces(3, 20'000'000, 0), 1u) << "nothing is pulled from servers";
  const auto topology = one_switch(3);
  EXPECT_THAT(plan(*topology, Rank(0), 100'000, {.servers = 1}).lanes[0][1].sends, SizeIs(2 * 3));
  EXPECT_THAT(plan(*topology, Rank(1), 100'000, {.servers = 1}).lanes[0][1].sends, SizeIs(1));
  EXPECT_THAT(plan(*topology, Rank(0), 8, {.servers = 1, .pieces = 9}).lanes[0][1].sends,
              SizeIs(2 * 4))
      << "a share of four elements";
}

TEST(BytePs, OneWorkerHasNothingToSum) {
  const auto topology = one_switch(2);
  EXPECT_EQ(plan(*topology, Rank(1), 100, {.servers = 1}), Plan{});
  EXPECT_DOUBLE_EQ(load(2, 1), 0);
  EXPECT_THAT(check_plans(plans_of(*topology, 100, {.servers = 1}), goal(2, 100, 1)), IsEmpty());
}

TEST(BytePs, RefusesMoreServersThanWorkers) {
  const auto topology = one_switch(5);
  EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 10, {.servers = 3})), InputError);
  EXPECT_THROW(static_cast<void>(goal(5, 10, 3)), InputError);
  EXPECT_THROW(static_cast<void>(shares(5, 10, 6)), InputError);
  EXPECT_THROW(static_cast<void>(closed_form(5, {.servers = 3, .pieces = 1})), InputError);
}

}  // namespace
}  // namespace gradwire::collectives::byteps
