#include "collectives/algorithms/dense.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "core/error.h"
#include "topologies/registry.h"

namespace gradwire::names {
namespace {

const workloads::DenseStack kStack{
    .layers = {{.inputs = 30, .outputs = 20}, {.inputs = 20, .outputs = 10}}, .samples = 6};

text::Spec spec(const char* text) {
  return text::parse_spec(text);
}

// Late-multiply (2017), section 2.1: K N values are summed, or M (N + K) of each worker collected.
TEST(DenseNames, ElementsFollowTheCollective) {
  for (const char* sums : {"ring", "ps(servers=1)", "bml", "all-reduce(bruck)", "gloo(ring)"}) {
    EXPECT_FALSE(multiplies_late(spec(sums))) << sums;
    EXPECT_EQ(dense_elements(spec(sums), 4, kStack), 30u * 20 + 20 * 10) << sums;
  }
  for (const char* late : {"all-gather", "all-gather(bml)", "all-gather(direct)"}) {
    EXPECT_TRUE(multiplies_late(spec(late))) << late;
    EXPECT_EQ(dense_elements(spec(late), 4, kStack), 4u * 6 * (30 + 20 + 20 + 10)) << late;
  }
}

TEST(DenseNames, OtherCollectivesAreRefused) {
  try {
    static_cast<void>(multiplies_late(spec("broadcast")));
    FAIL() << "a broadcast averages nothing";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "broadcast is neither an all-reduce of a layer's gradient nor an all-gather of its "
        "inputs and errors");
  }
}

// Ours cut n M (N + K) elements into n parts of M (N + K), whatever pieces these consist of.
TEST(DenseNames, PartsAreWhatARankHas) {
  const workloads::DenseStack odd{.layers = {{.inputs = 13, .outputs = 24}}, .samples = 13};
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const char* way : {"all-gather(bml)", "all-gather(hierarchical)", "all-gather(staged-bcube)",
                          "all-gather(ring)", "ring"}) {
    const std::size_t elements = dense_elements(spec(way), 4, odd);
    const Goal goal = goal_of(spec(way), *topology, {.elements = elements});
    EXPECT_NO_THROW(check_dense_parts(spec(way), goal, odd)) << way;
  }
}

// A file of somebody else's may say that rank 0 begins with 481 + 1 elements, and rank 1 with 481 - 1.
TEST(DenseNames, OtherPartsAreRefused) {
  const workloads::DenseStack odd{.layers = {{.inputs = 13, .outputs = 24}}, .samples = 13};
  const Goal goal = all_gather(parts_of(std::vector<std::size_t>{482, 480}));
  try {
    check_dense_parts(spec("all-gather"), goal, odd);
    FAIL() << "rank 0 has 481 values";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "all-gather: rank 0 begins with 482 elements, but has 481 inputs and errors");
  }
}

}  // namespace
}  // namespace gradwire::names
