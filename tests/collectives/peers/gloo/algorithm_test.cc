#include "collectives/peers/gloo/algorithm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::peers::gloo {
namespace {

using ::testing::ElementsAre;

TEST(GlooAlgorithm, HasNames) {
  std::vector<std::string_view> names;
  for (const NamedAlgorithm& each : algorithms()) {
    names.push_back(each.name);
    EXPECT_EQ(algorithm_of(each.name), each.algorithm) << each.name;
  }
  EXPECT_THAT(names, ElementsAre("ring", "halving-doubling", "bcube"));
  EXPECT_FALSE(algorithm_of("tree"));
}

TEST(GlooAlgorithm, BcubeHasTheSmallestBaseThatFits) {
  EXPECT_EQ(bcube_base(2), 2u);
  EXPECT_EQ(bcube_base(3), 3u);
  EXPECT_EQ(bcube_base(4), 2u);
  EXPECT_EQ(bcube_base(6), 6u);
  EXPECT_EQ(bcube_base(9), 3u);
  EXPECT_EQ(bcube_base(16), 2u);
  EXPECT_EQ(bcube_base(36), 6u);
}

}  // namespace
}  // namespace gradwire::peers::gloo
