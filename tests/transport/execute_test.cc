#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "core/pattern.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/transport/rank_group.h"

/// Real Plans over both transports: every element of every rank ends as the exact sum.
namespace gradwire::transport {
namespace {

using testing::Loopback;
using testing::RankContext;
using testing::Tcp;

template <class Transport>
class Execute : public ::testing::Test {
 protected:
  /// Runs the Plans `times` times with fresh data and counts wrong elements.
  std::size_t wrong_elements(std::span<const Plan> plans, std::size_t elements,
                             std::size_t times = 2) {
    std::vector<Rank> workers;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].role == Role::worker) workers.emplace_back(i);
    }
    Transport transport(plans.size());
    std::vector<std::size_t> wrong(plans.size(), 0);
    const auto endings = testing::run_ranks(transport, plans, elements, [&](RankContext& rank) {
      const bool works = plans[rank.self.index()].role == Role::worker;
      for (std::size_t iteration = 0; iteration < times; ++iteration) {
        const Pattern pattern(workers, iteration);
        std::ranges::fill(rank.gradient, 0.0F);
        if (works) pattern.fill(rank.gradient, rank.self);
        rank.rendezvous.barrier();
        rank.executor.execute();
        if (works) wrong[rank.self.index()] += pattern.count_wrong(rank.gradient);
        rank.rendezvous.barrier();
      }
    });
    for (const std::exception_ptr& ending : endings) {
      if (ending) std::rethrow_exception(ending);
    }
    std::size_t sum = 0;
    for (const std::size_t count : wrong) sum += count;
    return sum;
  }
};

using Transports = ::testing::Types<Loopback, Tcp>;
TYPED_TEST_SUITE(Execute, Transports);

constexpr std::size_t kCounts[] = {0, 1, 7, 97, 1000, 100'003};

TYPED_TEST(Execute, Ring) {
  const auto topology = topologies::make_topology("single-switch(5)");
  for (const std::size_t elements : kCounts) {
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < 5; ++i) {
      plans.push_back(
          ringallreduce::plan(*topology, Rank(i), elements, {.pieces = 1 + elements % 3}));
    }
    EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << elements;
  }
}

TYPED_TEST(Execute, ParameterServer) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  for (const std::size_t elements : kCounts) {
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < 9; ++i) plans.push_back(ps::plan(*topology, Rank(i), elements));
    EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << elements;
  }
}

TYPED_TEST(Execute, DedicatedServers) {
  const auto topology = topologies::make_topology("single-switch(5)");
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < 5; ++i) {
    plans.push_back(ps::plan(*topology, Rank(i), 1001, {.servers = 2, .dedicated = true}));
  }
  EXPECT_EQ(this->wrong_elements(plans, 1001), 0u);
}

TYPED_TEST(Execute, Bml) {
  for (const auto& [n, k] : {std::pair(3, 2), std::pair(2, 3)}) {
    const topologies::BCube wiring(static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    for (const std::size_t elements : kCounts) {
      std::vector<Plan> plans;
      for (std::size_t i = 0; i < wiring.hosts(); ++i) {
        plans.push_back(bml::plan(wiring, Rank(i), elements));
      }
      EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << n << ' ' << k << ' ' << elements;
    }
  }
}

// What a rank overwrites must have left: rank 0 sends all it has and then receives over it from a
// third rank, which does not wait for rank 1 to take it.
TYPED_TEST(Execute, AReceiveDoesNotOverwriteWhatIsStillToBeSent) {
  constexpr std::size_t kElements = 4'000'000;  // far more than a socket buffers
  const Extent all{0, kElements};
  const auto peer = [](std::size_t rank) { return Peer{Rank(rank), Port(0), Port(0)}; };
  std::vector<Plan> plans(3);
  plans[0].lanes = {
      {Step{.sends = {{peer(1), all}}}, Step{.recvs = {{peer(2), all, Combine::replace}}}}};
  plans[1].lanes = {{Step{.recvs = {{peer(0), all, Combine::replace}}}, Step{}}};
  plans[2].lanes = {{Step{}, Step{.sends = {{peer(0), all}}}}};
  TypeParam transport(3);
  const auto endings = testing::run_ranks(transport, plans, kElements, [&](RankContext& rank) {
    std::ranges::fill(rank.gradient, static_cast<float>(rank.self.value));
    rank.rendezvous.barrier();
    rank.executor.execute();
    if (rank.self == Rank(0)) {
      EXPECT_EQ(std::ranges::count(rank.gradient, 2.0F), std::ptrdiff_t{kElements});
    }
    if (rank.self == Rank(1)) {
      EXPECT_EQ(std::ranges::count(rank.gradient, 0.0F), std::ptrdiff_t{kElements});
    }
  });
  for (const auto& ending : endings) EXPECT_FALSE(ending);
}

}  // namespace
}  // namespace gradwire::transport
