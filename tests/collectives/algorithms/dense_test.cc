#include "collectives/algorithms/dense.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using testing::named;

constexpr const char* kLayers = "dense(inputs=30, outputs=20, samples=6)";
/// A rank has 13 (13 + 24) = 481 inputs and errors.
constexpr const char* kOdd = "dense(inputs=13, outputs=24, samples=13)";

// Late-multiply (2017), section 2.1: K N values are summed, or M (N + K) of each worker collected.
TEST(Dense, ElementsFollowTheCollective) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  const workloads::Workload layers = workloads::parse_workload(kLayers);
  for (const char* sums : {"ring", "ps(servers=1)", "bml", "all-reduce(bruck)", "gloo(ring)"}) {
    EXPECT_FALSE(multiplies_late(named(sums, *topology))) << sums;
    EXPECT_EQ(named(sums, *topology, kLayers).amount_of(layers).elements, 30u * 20) << sums;
  }
  for (const char* late : {"all-gather", "all-gather(bml)", "all-gather(direct)"}) {
    EXPECT_TRUE(multiplies_late(named(late, *topology))) << late;
    EXPECT_EQ(named(late, *topology, kLayers).amount_of(layers).elements, 4u * 6 * (30 + 20))
        << late;
  }
}

TEST(Dense, OtherCollectivesAreRefused) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  try {
    static_cast<void>(named("broadcast", *topology, kLayers));
    FAIL() << "a broadcast averages nothing";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "broadcast is neither an all-reduce of a layer's gradient nor an all-gather of its "
        "inputs and errors");
  }
}

// Ours cut n M (N + K) elements into n parts of M (N + K), whatever pieces these consist of.
TEST(Dense, PartsAreWhatARankHas) {
  const workloads::Workload odd = workloads::parse_workload(kOdd);
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const char* way : {"all-gather(bml)", "all-gather(hierarchical)", "all-gather(staged-bcube)",
                          "all-gather(ring)", "ring"}) {
    const Algorithm algorithm = named(way, *topology, kOdd);
    EXPECT_NO_THROW(static_cast<void>(algorithm.achieves(algorithm.amount_of(odd)))) << way;
  }
}

/// An all-gather in which rank 0 begins with 481 + 1 elements, and rank 1 with 481 - 1.
class Uneven final : public Method {
 public:
  [[nodiscard]] std::string collective() const override { return "all-gather"; }
  [[nodiscard]] Achieved achieves(const Amount&) const override {
    return {.goal = all_gather(parts_of(std::vector<std::size_t>{482, 480}))};
  }
  [[nodiscard]] Plan plan(Rank, const Amount&) const override { return {}; }
};

// A file of somebody else's may divide as it likes.
TEST(Dense, OtherPartsAreRefused) {
  const workloads::Workload odd = workloads::parse_workload(kOdd);
  const auto topology = topologies::make_topology("single-switch(2)");
  const Algorithm uneven({.name = "uneven"}, *topology, std::make_shared<Uneven>());
  const auto method = make_for_dense(uneven, *odd.dense());
  try {
    static_cast<void>(method->achieves(method->amount_of(odd)));
    FAIL() << "rank 0 has 481 values";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "uneven: rank 0 begins with 482 elements, but has 481 inputs and errors");
  }
}

}  // namespace
}  // namespace gradwire::algorithms
