#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/byteps.h"
#include "collectives/direct.h"
#include "collectives/member.h"
#include "collectives/ring.h"
#include "collectives/scatter_gather.h"
#include "core/pattern.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/transport/rank_group.h"
#include "topologies/bcube.h"
#include "topologies/registry.h"

/// Real Plans over every transport: every element of every rank ends as the exact sum.
namespace gradwire::transport {
namespace {

using testing::RankContext;

template <class Transport>
class Execute : public testing::TransportTest<Transport> {
 protected:
  /// Runs the Plans twice, with fresh data of this type, and counts wrong elements.
  std::size_t wrong_elements(std::span<const Plan> plans, std::size_t elements,
                             Dtype type = Dtype::float32) {
    return wrong_elements(plans, all_reduce(plans.size(), elements), type);
  }
  std::size_t wrong_elements(std::span<const Plan> plans, const Goal& goal,
                             Dtype type = Dtype::float32) {
    Transport transport(plans.size());
    std::vector<std::size_t> wrong(plans.size(), 0);
    const auto endings = testing::run_ranks(
        transport, plans, goal.elements,
        [&](RankContext& rank) {
          Pattern pattern(goal, 0, type);
          for (std::size_t iteration = 0; iteration < 2; ++iteration) {
            pattern.turn_to(iteration);
            std::ranges::fill(rank.elements.bytes(), std::byte{});
            for (const Extent& e : goal.begins[rank.self.index()]) {
              pattern.fill(rank.elements.part(e), rank.self, e.first);
            }
            rank.rendezvous.barrier();
            rank.executor.execute();
            for (const Extent& e : goal.ends[rank.self.index()]) {
              wrong[rank.self.index()] += pattern.count_wrong(rank.elements.part(e), e.first);
            }
            rank.rendezvous.barrier();
          }
        },
        {.type = type});
    testing::expect_ended_well(endings);
    return std::reduce(wrong.begin(), wrong.end());
  }
};

TYPED_TEST_SUITE(Execute, testing::AllTransports, testing::TransportName);

/// What `make_plan` makes of every rank.
template <class MakePlan>
std::vector<Plan> plans_of(std::size_t ranks, const MakePlan& make_plan) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < ranks; ++i) plans.push_back(make_plan(Rank(i)));
  return plans;
}

constexpr std::size_t kCounts[] = {0, 1, 7, 97, 1000, 100'003};

TYPED_TEST(Execute, Ring) {
  const auto topology = topologies::make_topology("single-switch(5)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(5, [&](Rank rank) {
      return ringallreduce::plan(*topology, rank, elements, {.pieces = 1 + elements % 3});
    });
    EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << elements;
  }
}

// Both directions of one connection, which both ranks begin to make.
TYPED_TEST(Execute, RingOfTwo) {
  const auto topology = topologies::make_topology("single-switch(2)");
  for (const std::size_t elements : {1u, 100'003u}) {
    const auto plans =
        plans_of(2, [&](Rank rank) { return ringallreduce::plan(*topology, rank, elements); });
    EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << elements;
  }
}

TYPED_TEST(Execute, ParameterServer) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(9, [&](Rank rank) { return ps::plan(*topology, rank, elements); });
    EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << elements;
  }
}

// Servers contribute nothing; with byteps two lanes share a worker's port.
TYPED_TEST(Execute, DedicatedServers) {
  const ps::Options options{.servers = 2, .dedicated = true, .pieces = 2};
  const auto topology = topologies::make_topology("single-switch(5)");
  for (const std::size_t elements : kCounts) {
    const Goal goal = ps::goal(5, elements, options);
    const auto plans =
        plans_of(5, [&](Rank rank) { return ps::plan(*topology, rank, elements, options); });
    EXPECT_EQ(this->wrong_elements(plans, goal), 0u) << elements;
    const auto divided = plans_of(5, [&](Rank rank) {
      return collectives::byteps::plan(*topology, rank, elements, {.servers = 2, .pieces = 3});
    });
    EXPECT_EQ(this->wrong_elements(divided, goal), 0u) << elements;
  }
}

// Every rank ends with the sums of what its goal says, and was never given what it must not add.
TYPED_TEST(Execute, EveryGoal) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  const Group all = collectives::everyone(*topology);
  using collectives::Member;
  const auto of_members = [&](const auto& make) {
    return plans_of(all.size(), [&](Rank rank) {
      return make(Member{.topology = *topology, .group = all, .place = rank.index()});
    });
  };
  for (const std::size_t elements : {1u, 97u, 100'003u}) {
    const Parts parts = equal_parts(all.size(), elements);
    std::vector<std::size_t> sizes;
    for (const auto& part : parts) sizes.push_back(part.empty() ? 0 : part.front().count);
    const std::vector<std::pair<Goal, std::vector<Plan>>> goals{
        {reduce_scatter(parts),
         of_members([&](const Member& m) { return collectives::ring::reduce_scatter(m, parts); })},
        {all_gather(parts),
         of_members([&](const Member& m) { return collectives::bruck::all_gather(m, sizes); })},
        {broadcast(all.size(), elements, Rank(2)), of_members([&](const Member& m) {
           return collectives::binomial::broadcast(m, elements, 2);
         })},
        {reduce(all.size(), elements, Rank(1)), of_members([&](const Member& m) {
           return collectives::scatter_gather::reduce(m, elements, 1);
         })},
        {all_to_all(all.size(), 4 * elements), of_members([&](const Member& m) {
           return collectives::direct::plan(m, all_to_all(all.size(), 4 * elements));
         })}};
    for (std::size_t i = 0; i < goals.size(); ++i) {
      EXPECT_EQ(this->wrong_elements(goals[i].second, goals[i].first), 0u)
          << "goal " << i << ", " << elements << " elements";
    }
  }
}

// What arrives may end anywhere within an element.
TYPED_TEST(Execute, EveryType) {
  const auto topology = topologies::make_topology("single-switch(3)");
  const Group all = collectives::everyone(*topology);
  for (const std::size_t elements : {1u, 97u, 100'003u}) {
    const auto adding =
        plans_of(3, [&](Rank rank) { return ringallreduce::plan(*topology, rank, elements); });
    for (const Dtype type : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16,
                             Dtype::int32, Dtype::int64}) {
      EXPECT_EQ(this->wrong_elements(adding, elements, type), 0u)
          << to_string(type) << ' ' << elements;
    }
    const Parts parts = equal_parts(3, elements);
    const auto moving = plans_of(3, [&](Rank rank) {
      return collectives::ring::all_gather(
          {.topology = *topology, .group = all, .place = rank.index()}, parts);
    });
    EXPECT_EQ(this->wrong_elements(moving, all_gather(parts), Dtype::byte), 0u) << elements;
  }
}

TYPED_TEST(Execute, Bml) {
  for (const auto& [n, k] : {std::pair(3, 2), std::pair(2, 3)}) {
    const topologies::BCube wiring(static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    for (const std::size_t elements : kCounts) {
      const auto plans =
          plans_of(wiring.hosts(), [&](Rank rank) { return bml::plan(wiring, rank, elements); });
      EXPECT_EQ(this->wrong_elements(plans, elements), 0u) << n << ' ' << k << ' ' << elements;
    }
  }
}

/// Every rank's Plans of three buckets of one buffer, one of a single element, in stages.
template <class MakePlan>
std::vector<StagedPlan> staged(std::size_t ranks, const MakePlan& make_plan) {
  std::vector<StagedPlan> all;
  for (std::size_t i = 0; i < ranks; ++i) {
    std::vector<Plan> plans;
    std::size_t first = 0;
    for (const std::size_t elements : {50'000u, 1u, 1'234u}) {
      plans.push_back(shifted(make_plan(Rank(i), elements), first));
      first += elements;
    }
    all.push_back(in_stages(std::move(plans)));
  }
  return all;
}

// A rank may be a stage ahead of its neighbour: what it sends waits in the connection.
template <class Transport>
void run_stages(const std::vector<StagedPlan>& plans) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < plans.size(); ++i) ranks.emplace_back(i);
  constexpr std::size_t kElements = 50'000 + 1 + 1'234;
  Transport transport(plans.size());
  const auto endings = testing::run_ranks(
      transport, std::span<const StagedPlan>(plans), kElements, [&](RankContext& rank) {
        const StagedPlan& plan = plans[rank.self.index()];
        for (std::size_t iteration = 0; iteration < 3; ++iteration) {
          const Pattern pattern(ranks, iteration);
          pattern.fill(rank.gradient, rank.self);
          rank.rendezvous.barrier();
          for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
            rank.executor.record(iteration == 1);
            rank.executor.execute(stage);
            for (const Transfer& transfer : rank.executor.last_transfers()) {
              EXPECT_GE(transfer.operation.step, plan.stages[stage].first);
              EXPECT_LT(transfer.operation.step, plan.stages[stage].end());
              if (iteration == 1) {
                EXPECT_LT(transfer.times.posted, transfer.times.done);
              }
            }
          }
          EXPECT_EQ(pattern.count_wrong(rank.elements), 0u);
          rank.rendezvous.barrier();
        }
      });
  testing::expect_ended_well(endings);
}

TYPED_TEST(Execute, BucketsOneAfterTheOther) {
  const auto topology = topologies::make_topology("single-switch(5)");
  run_stages<TypeParam>(staged(5, [&](Rank rank, std::size_t elements) {
    return ringallreduce::plan(*topology, rank, elements);
  }));
  run_stages<TypeParam>(staged(
      5, [&](Rank rank, std::size_t elements) { return ps::plan(*topology, rank, elements); }));
  const topologies::BCube wiring(3, 2);
  run_stages<TypeParam>(staged(
      9, [&](Rank rank, std::size_t elements) { return bml::plan(wiring, rank, elements); }));
}

// Ring: 2(N-1) steps, each of which starts up after the one before has arrived.
TYPED_TEST(Execute, StartsUpEveryMessage) {
  using namespace std::chrono_literals;
  const auto topology = topologies::make_topology("single-switch(3)");
  const auto plans =
      plans_of(3, [&](Rank rank) { return ringallreduce::plan(*topology, rank, 1000); });
  const std::vector<Rank> ranks{Rank(0), Rank(1), Rank(2)};
  TypeParam transport(3);
  const SteadyClock clock;
  const auto endings = testing::run_ranks(transport, plans, 1000,
                                          [&](RankContext& rank) {
                                            const Pattern pattern(ranks, 0);
                                            pattern.fill(rank.gradient, rank.self);
                                            rank.rendezvous.barrier();
                                            const TimePoint start = clock.now();
                                            rank.executor.execute();
                                            EXPECT_GE(clock.now() - start, 4 * 5ms);
                                            EXPECT_EQ(pattern.count_wrong(rank.elements), 0u);
                                          },
                                          {.stall_timeout = testing::kPatience, .startup = 5ms});
  testing::expect_ended_well(endings);
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
  testing::expect_ended_well(endings);
}

}  // namespace
}  // namespace gradwire::transport
