#include "collectives/algorithms/amount.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/plan_check.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

/// Forward order: a (1 tensor of 10), b (weight 20 and bias 2), c (30).
workloads::Profile profile() {
  return {.layers = {{.name = "a", .tensors = {10}},
                     {.name = "b", .tensors = {20, 2}},
                     {.name = "c", .tensors = {30}}}};
}

// The gradient lies in backward order: c [0,30), b's bias [30,32), its weight [32,52), a [52,62).
TEST(AmountOfABucket, CountsFromTheLastLayer) {
  const BucketAmount middle = amount_of(profile(), {.first = 1, .count = 1});
  EXPECT_EQ(middle.first, 30u);
  EXPECT_EQ(middle.amount.elements, 22u);
  EXPECT_EQ(middle.amount.tensors, (std::vector<Extent>{{0, 2}, {2, 20}}));
  EXPECT_EQ(middle.amount.tensors_before, 1u);
  const BucketAmount rest = amount_of(profile(), {.first = 1, .count = 2});
  EXPECT_EQ(rest.amount.elements, 32u);
  EXPECT_EQ(rest.amount.tensors.back(), (Extent{22, 10}));
}

TEST(AmountOfABucket, BucketsTileTheWhole) {
  const Amount whole = amount_of(profile());
  EXPECT_EQ(whole.elements, 62u);
  std::size_t next = 0;
  std::vector<Extent> tensors;
  for (const schedule::Bucket& bucket : {schedule::Bucket{0, 2}, schedule::Bucket{2, 1}}) {
    const BucketAmount part = amount_of(profile(), bucket);
    EXPECT_EQ(part.first, next);
    for (const Extent& tensor : part.amount.tensors) {
      tensors.push_back({part.first + tensor.first, tensor.count});
    }
    next += part.amount.elements;
  }
  EXPECT_EQ(tensors, whole.tensors);
}

// Cut into buckets, every tensor stays on the server where the whole would have put it.
TEST(AmountOfABucket, PlacementDoesNotDependOnTheBuckets) {
  const auto topology = topologies::make_topology("single-switch(3)");
  const Algorithm algorithm = testing::named("ps(per-tensor)", *topology);
  const auto pushes = [&](const Plan& plan) {
    std::vector<std::pair<Extent, Rank>> list;
    for (const Step& step : plan.lanes[0]) {
      for (const Send& send : step.sends) list.emplace_back(send.what, send.to.rank);
    }
    std::ranges::sort(list);
    return list;
  };
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto plan_of = [&](const BucketAmount& part) {
      return shifted(algorithm.plan(Rank(rank), part.amount), part.first);
    };
    const Plan whole = plan_of({.amount = amount_of(profile())});
    std::vector<Plan> parts;
    for (std::size_t i = 0; i < 3; ++i) {
      parts.push_back(plan_of(amount_of(profile(), {.first = i, .count = 1})));
    }
    EXPECT_EQ(pushes(in_stages(parts).plan), pushes(whole)) << rank;
  }
}

}  // namespace
}  // namespace gradwire::algorithms
