#include "harness/names/algorithms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/names/amount.h"
#include "topologies/registry.h"

namespace gradwire::names {
namespace {

using ::testing::HasSubstr;

std::string refusal(const char* algorithm, const char* wiring, const Amount& amount) {
  const auto topology = topologies::make_topology(wiring);
  try {
    static_cast<void>(make_checked_plans(text::parse_spec(algorithm), *topology, amount));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Algorithms, EveryNameMakesPlansThatTheCheckerProves) {
  const Amount lenet = amount_of("lenet5", 0);
  for (const char* algorithm : {"ring", "ring(pieces=4)", "ps", "ps(per-tensor)", "ps(servers=1)",
                                "ps(servers=2, dedicated)", "bml", "halving-doubling",
                                "double-tree", "double-tree(pieces=3)", "striped-rings",
                                "hierarchical", "hierarchical(groups=3)", "staged-bcube"}) {
    EXPECT_EQ(refusal(algorithm, "bcube(3,2)", lenet), "") << algorithm;
  }
}

TEST(Algorithms, RefuseWhatTheyDoNotKnow) {
  const Amount amount{.elements = 100};
  EXPECT_THAT(refusal("tree", "bcube(3,2)", amount),
              HasSubstr("there are: bml, double-tree, halving-doubling, hierarchical, ps, ring, "
                        "staged-bcube, striped-rings, and libraries: gloo(ring), "));
  EXPECT_THAT(refusal("ring(peices=2)", "bcube(3,2)", amount), HasSubstr("it takes: pieces"));
  EXPECT_THAT(refusal("ring(pieces=0)", "bcube(3,2)", amount), HasSubstr("above 0"));
  EXPECT_THAT(refusal("bml(fast)", "bcube(3,2)", amount), HasSubstr("takes no arguments"));
  EXPECT_THAT(refusal("bml", "single-switch(4)", amount), HasSubstr("bcube(n,k) only"));
  EXPECT_THAT(refusal("staged-bcube", "single-switch(4)", amount), HasSubstr("bcube(n,k) only"));
  EXPECT_THAT(refusal("hierarchical(groups=4)", "bcube(3,2)", amount),
              HasSubstr("do not fall into groups of 4"));
  EXPECT_THAT(refusal("double-tree(pieces=0)", "bcube(3,2)", amount), HasSubstr("above 0"));
  EXPECT_THAT(refusal("ps(per-tensor)", "bcube(3,2)", amount), HasSubstr("needs a workload"));
}

// LeNet-5 at 40 Gbit/s, MTU 9000: 16/9 T_F = 16/9 * 13,098,536 B / (5e9 * 8948/9014) B/s.
TEST(BoundOf, IsTheClosedFormAtThePayloadRate) {
  const auto topology = topologies::make_topology("single-switch(9)");
  const Amount amount = amount_of("lenet5", 0);
  const auto plans = make_checked_plans(text::parse_spec("ring"), *topology, amount);
  const double expected = 16.0 / 9 * 13'098'536 / (5e9 * 8948 / 9014);
  const double one_element_per_step = 16 * 4 / 4.9e9;  // chunks differ by one element
  EXPECT_NEAR(bound_of(*topology, plans, {40e9 * 8948 / 9014}).count(), expected,
              one_element_per_step);
}

}  // namespace
}  // namespace gradwire::names
