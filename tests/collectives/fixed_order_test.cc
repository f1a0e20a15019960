#include "ringallreduce/fixed_order.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan_check.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/collectives/plans.h"
#include "tests/collectives/summation_order.h"
#include "tests/transport/rank_group.h"
#include "topologies/topology.h"

/// Rings and parameter servers that add in a fixed order: the same bits in every bucket, whoever comes
/// first.
namespace gradwire::collectives {
namespace {

using testing::added_in_order;
using ::testing::Each;
using ::testing::IsEmpty;
using testing::make_topology;
using testing::Topology;

constexpr std::size_t kRanks = 5;

/// Who makes a rank's Plan for so many elements.
using MakePlan = std::function<Plan(const Topology&, Rank, std::size_t)>;

MakePlan ring(const ringallreduce::Options& options) {
  return [options](const Topology& topology, Rank rank, std::size_t elements) {
    return ringallreduce::plan(topology, rank, elements, options);
  };
}

MakePlan server(const ps::Options& options) {
  return [options](const Topology& topology, Rank rank, std::size_t elements) {
    return ps::plan(topology, rank, elements, options);
  };
}

std::vector<Plan> ordered_plans(const Topology& topology, const MakePlan& make,
                                std::size_t elements) {
  return testing::plans_of(topology, [&](Rank rank) { return make(topology, rank, elements); });
}

std::vector<std::size_t> all_ranks(std::size_t first = 0) {
  std::vector<std::size_t> ranks(kRanks - first);
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

/// Every element of every rank ends as the sum in this order, and the checker proves the Plans.
void expect_order(const MakePlan& make, const std::vector<std::size_t>& order) {
  const auto topology = make_topology("single-switch(5)");
  for (const std::size_t elements : testing::awkward_counts(kRanks)) {
    const auto plans = ordered_plans(*topology, make, elements);
    EXPECT_THAT(check_plans(plans, elements), IsEmpty()) << elements;
    for (const auto& held : testing::summation_orders(plans, elements)) {
      EXPECT_THAT(held, Each(added_in_order(order))) << elements << " elements";
    }
  }
}

TEST(FixedOrder, ARingSumsEveryElementFromItsFirstRankToItsLast) {
  expect_order(ring({.fixed_order = true}), all_ranks());
  expect_order(ring({.pieces = 3, .fixed_order = true}), all_ranks());
  const std::vector<Rank> order{Rank(3), Rank(0), Rank(4), Rank(1), Rank(2)};
  expect_order(ring({.order = order, .fixed_order = true}), {3, 0, 4, 1, 2});
}

TEST(FixedOrder, ServersSumEveryElementFromRank0ToTheLast) {
  expect_order(server({.fixed_order = true}), all_ranks());
  expect_order(server({.servers = 1, .fixed_order = true}), all_ranks());
  expect_order(server({.pieces = 3, .fixed_order = true}), all_ranks());
}

// Without an order, chunks begin with different ranks, and servers add what comes.
TEST(FixedOrder, TheOthersDoNot) {
  const auto topology = make_topology("single-switch(5)");
  const auto orders_of = [&](const MakePlan& make) {
    const auto held = testing::summation_orders(ordered_plans(*topology, make, 10), 10);
    return std::set<std::string>(held[0].begin(), held[0].end());
  };
  EXPECT_EQ(orders_of(ring({})).size(), kRanks);
  EXPECT_EQ(orders_of(server({})), std::set<std::string>{"any order"});
}

TEST(FixedOrder, DedicatedServersSumWhatTheOthersHave) {
  const auto topology = make_topology("single-switch(5)");
  const ps::Options options{.servers = 3, .dedicated = true, .pieces = 2, .fixed_order = true};
  const std::vector<Rank> servers{Rank(0), Rank(1), Rank(2)};
  for (const std::size_t elements : {1u, 7u, 97u}) {
    const auto plans = ordered_plans(*topology, server(options), elements);
    EXPECT_THAT(check_plans(plans, ps::goal(kRanks, elements, options)), IsEmpty());
    const auto held = testing::summation_orders(plans, elements, servers);
    for (std::size_t worker = 3; worker < kRanks; ++worker) {
      EXPECT_THAT(held[worker], Each(added_in_order(all_ranks(3))));
    }
  }
}

TEST(FixedOrder, OnlyTwoServersCanWorkToo) {
  const auto topology = make_topology("single-switch(5)");
  EXPECT_THROW(
      static_cast<void>(ps::plan(*topology, Rank(0), 9, {.servers = 3, .fixed_order = true})),
      InputError);
}

// (P + 2N - 3)/P pieces of a gradient, and P - 3 more where links carry both ways' at once; 3(N-1)/N
// with a piece for each rank.
TEST(FixedOrder, TheRingsClosedFormIsWhatItsLinksCarry) {
  for (const std::size_t ranks : {2u, 3u, 5u, 8u}) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    for (const std::size_t each : {1u, 2u, 7u}) {
      const std::size_t elements = 10 * ranks * each;
      const auto plans =
          ordered_plans(*topology, ring({.pieces = each, .fixed_order = true}), elements);
      EXPECT_NEAR(testing::bound(*topology, plans, elements),
                  ringallreduce::fixed_order::closed_form(ranks, ranks * each), 1e-9)
          << ranks << " ranks, " << each;
    }
  }
  EXPECT_NEAR(ringallreduce::fixed_order::closed_form(8, 8), 3 * 7.0 / 8, 1e-12);
}

// P (1 + 1/m): the ranks push all they have one after the other, and m servers answer at once.
TEST(FixedOrder, TheServersClosedFormIsWhatTheirLinksCarry) {
  const auto topology = make_topology("single-switch(8)");
  const std::vector<std::pair<ps::Options, double>> cases{
      {{.servers = 1, .fixed_order = true}, 7 * 2},
      {{.fixed_order = true}, 7 * 1.5},
      {{.servers = 4, .dedicated = true, .fixed_order = true}, 4 * 1.25},
      {{.servers = 6, .dedicated = true, .fixed_order = true}, 2 + 1}};
  for (const auto& [options, expected] : cases) {
    EXPECT_NEAR(testing::bound(*topology, ordered_plans(*topology, server(options), 2400), 2400),
                expected, 1e-9);
    EXPECT_NEAR(ps::closed_form(8, 2400, options), expected, 1e-9);
  }
}

/// Gradients whose sums are rounded: of all magnitudes from 2^-10 to 2^10.
std::vector<std::vector<float>> rounded_gradients(std::size_t elements) {
  std::mt19937_64 random(7);
  std::vector<std::vector<float>> gradients(kRanks, std::vector<float>(elements));
  std::uniform_real_distribution<float> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-10, 10);
  for (auto& gradient : gradients) {
    for (float& value : gradient) value = std::ldexp(mantissa(random), exponent(random));
  }
  return gradients;
}

std::vector<float> sum_in_order(const std::vector<std::vector<float>>& gradients,
                                const std::vector<std::size_t>& order) {
  std::vector<float> sum = gradients[order.front()];
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += gradients[order[i]][e];
  }
  return sum;
}

/// Their bits: a NaN equals itself, and -0 is not 0.
std::vector<std::uint32_t> bits(std::span<const float> values) {
  std::vector<std::uint32_t> result;
  for (const float value : values) result.push_back(std::bit_cast<std::uint32_t>(value));
  return result;
}

/// Bucket after bucket, as a stage each. Rank r begins every one `lateness[r]` milliseconds late.
struct Job {
  std::vector<std::size_t> buckets;  ///< elements of each
  std::vector<int> lateness = {0, 0, 0, 0, 0};
};

std::vector<StagedPlan> staged(const Topology& topology, const MakePlan& make, const Job& job) {
  std::vector<StagedPlan> plans;
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    std::vector<Plan> stages;
    std::size_t first = 0;
    for (const std::size_t elements : job.buckets) {
      stages.push_back(shifted(make(topology, Rank(rank), elements), first));
      first += elements;
    }
    plans.push_back(in_stages(std::move(stages)));
  }
  return plans;
}

/// What every rank holds after its buckets, as bits.
template <class Transport>
std::vector<std::vector<std::uint32_t>> executed(const MakePlan& make, const Job& job) {
  const auto topology = make_topology("single-switch(5)");
  const auto plans = staged(*topology, make, job);
  const std::size_t elements =
      std::accumulate(job.buckets.begin(), job.buckets.end(), std::size_t{0});
  const auto gradients = rounded_gradients(elements);
  std::vector<std::vector<std::uint32_t>> results(kRanks);
  Transport transport(kRanks);
  const auto endings = transport::testing::run_ranks(
      transport, std::span<const StagedPlan>(plans), elements,
      [&](transport::testing::RankContext& rank) {
        const std::size_t self = rank.self.index();
        std::ranges::copy(gradients[self], rank.gradient.begin());
        for (std::size_t stage = 0; stage < job.buckets.size(); ++stage) {
          rank.rendezvous.barrier();
          std::this_thread::sleep_for(std::chrono::milliseconds(job.lateness[self]));
          rank.executor.execute(stage);
        }
        results[self] = bits(rank.gradient);
        rank.rendezvous.barrier();
      });
  transport::testing::expect_ended_well(endings);
  return results;
}

// The same elements, cut at other places, and with ranks that come in another order.
const std::vector<Job> kJobs{{.buckets = {1009}},
                             {.buckets = {1, 1008}},
                             {.buckets = {500, 9, 500}},
                             {.buckets = {1009}, .lateness = {20, 15, 10, 5, 0}},
                             {.buckets = {337, 336, 336}, .lateness = {5, 0, 20, 10, 15}}};

template <class Transport>
class FixedOrderExecuted : public transport::testing::TransportTest<Transport> {};

using Transports = ::testing::Types<transport::testing::Loopback, transport::testing::Tcp>;
TYPED_TEST_SUITE(FixedOrderExecuted, Transports, transport::testing::TransportName);

TYPED_TEST(FixedOrderExecuted, BitsDependOnNeitherBucketsNorArrival) {
  const auto expected = bits(sum_in_order(rounded_gradients(1009), all_ranks()));
  for (const MakePlan& make :
       {ring({.fixed_order = true}), ring({.pieces = 4, .fixed_order = true}),
        server({.fixed_order = true}), server({.servers = 1, .pieces = 8, .fixed_order = true})}) {
    for (const Job& job : kJobs) EXPECT_THAT(executed<TypeParam>(make, job), Each(expected));
  }
}

// These gradients tell orders apart, and the ring without an order gives what its cuts give.
TYPED_TEST(FixedOrderExecuted, WithoutAnOrderBucketsChangeBits) {
  const auto gradients = rounded_gradients(1009);
  EXPECT_NE(bits(sum_in_order(gradients, all_ranks())),
            bits(sum_in_order(gradients, {4, 3, 2, 1, 0})));
  EXPECT_NE(executed<TypeParam>(ring({}), kJobs[0]), executed<TypeParam>(ring({}), kJobs[2]));
}

}  // namespace
}  // namespace gradwire::collectives
