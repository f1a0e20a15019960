#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "collectives/byteps.h"
#include "ps/plan.h"
#include "tests/simulator/plans.h"
#include "tests/simulator/rounding.h"

/// Workers and servers in virtual time, where servers do nothing else. An element takes a second, so
/// T_F is the number of elements.
namespace gradwire::simulator {
namespace {

using testing::make_topology;
using testing::time_of;
using testing::Topology;

template <class MakePlan>
std::vector<Plan> plans_of_servers(const Topology& topology, const MakePlan& make_plan) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) plans.push_back(make_plan(Rank(i)));
  return plans;
}

std::vector<Plan> byteps(const Topology& topology, std::size_t elements,
                         const collectives::byteps::Options& options) {
  return plans_of_servers(topology, [&](Rank rank) {
    return collectives::byteps::plan(topology, rank, elements, options);
  });
}

/// What divides into equal shares and pieces: D = n^2 + kn - 2k, times the pieces.
std::size_t unit_of_servers(std::size_t n, std::size_t k, std::size_t pieces) {
  return (n * n + k * n - 2 * k) * pieces;
}

// GST = (1 + 1/S) 2n(n-1)/D T_F with servers, 2(n-1)/n T_F without.
TEST(BytePs, TakesTheTimeOfItsFormula) {
  for (std::size_t n = 2; n <= 12; ++n) {
    for (std::size_t k = 0; k <= n; ++k) {
      const auto topology = make_topology(fmt::format("single-switch({})", n + k));
      for (const std::size_t pieces : {1u, 7u, 32u}) {
        const collectives::byteps::Options options{.servers = k, .pieces = pieces};
        const std::size_t elements = unit_of_servers(n, k, pieces);
        const double expected =
            collectives::byteps::closed_form(n + k, options) * static_cast<double>(elements);
        EXPECT_NEAR(time_of(*topology, byteps(*topology, elements, options)), expected,
                    kRounding * expected)
            << n << ' ' << k << ' ' << pieces;
      }
    }
  }
}

// Shares that differ by an element cost no more than a few elements at every port and piece.
TEST(BytePs, TakesLittleLongerWhenElementsDoNotDivide) {
  for (const auto& [n, k] : {std::pair{5U, 4U}, {8U, 1U}, {6U, 3U}, {7U, 2U}}) {
    const auto topology = make_topology(fmt::format("single-switch({})", n + k));
    const collectives::byteps::Options options{.servers = k, .pieces = 8};
    const double expected = collectives::byteps::closed_form(n + k, options) * 1'000'003;
    const double time = time_of(*topology, byteps(*topology, 1'000'003, options));
    EXPECT_NEAR(time, expected, 1e-3 * expected) << n << ' ' << k;
  }
}

// On the same nine machines every further server makes it faster, and dedicated servers that leave
// nothing to workers are slower until there are as many.
TEST(BytePs, IsFasterThanDedicatedServers) {
  const auto topology = make_topology("single-switch(9)");
  double before = 16.0 / 9 * 1e6;
  for (const std::size_t k : {1u, 2u, 3u, 4u}) {
    const ps::Options dedicated{.servers = k, .dedicated = true, .pieces = 32};
    const double divided = time_of(*topology, byteps(*topology, 1'000'000, {.servers = k}));
    EXPECT_LT(divided, before) << k;
    const double all = time_of(*topology, plans_of_servers(*topology, [&](Rank rank) {
      return ps::plan(*topology, rank, 1'000'000, dedicated);
    }));
    EXPECT_LT(divided, all) << k;
    before = divided;
  }
}

// GST = (1 + 1/S) P/m T_F: a server's port carries pushes and pulls at a time.
TEST(DedicatedServers, PiecesOfSharesPassEachOther) {
  for (const auto& [ranks, servers] : {std::pair{8U, 2U}, {8U, 4U}, {9U, 1U}, {9U, 4U}}) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    for (const std::size_t pieces : {1u, 5u, 16u}) {
      const ps::Options options{.servers = servers, .dedicated = true, .pieces = pieces};
      const std::size_t elements = 3 * std::size_t{servers} * pieces;
      const double expected = (1 + 1.0 / static_cast<double>(pieces)) * (ranks - servers) /
                              servers * static_cast<double>(elements);
      EXPECT_NEAR(ps::closed_form(ranks, elements, options) * static_cast<double>(elements),
                  expected, kRounding * expected);
      EXPECT_NEAR(time_of(*topology, plans_of_servers(*topology,
                                                      [&](Rank rank) {
                                                        return ps::plan(*topology, rank, elements,
                                                                        options);
                                                      })),
                  expected, kRounding * expected)
          << ranks << ' ' << servers << ' ' << pieces;
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
