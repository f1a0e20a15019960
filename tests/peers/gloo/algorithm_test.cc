#include "peers/gloo/algorithm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::peers::gloo {
namespace {

using ::testing::ElementsAre;

TEST(GlooAlgorithm, HasNames) {
  EXPECT_THAT(algorithm_names(), ElementsAre("ring", "halving-doubling", "bcube"));
  for (const std::string_view name : algorithm_names()) EXPECT_TRUE(algorithm_of(name)) << name;
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
