#include "schedule/backward_pass.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::schedule {
namespace {

// TPDS eq. 6: the last layer goes first, after the whole forward pass. A layer's gradient is ready
// when its backward pass ends; weight and bias leave together.
TEST(BackwardPass, GoesFromTheLastLayerToTheFirstAfterTheForwardPass) {
  const workloads::Profile profile{.layers = {{"a", {100, 10}, Seconds(1), Seconds(16)},
                                              {"b", {1000}, Seconds(2), Seconds(32)},
                                              {"c", {7}, Seconds(4), Seconds(64)}}};
  const BackwardPass pass = backward_pass(profile);
  ASSERT_EQ(pass.gradients.size(), 3u);
  EXPECT_EQ(pass.gradients[0].ready, Seconds(7 + 64));
  EXPECT_EQ(pass.gradients[1].ready, Seconds(7 + 64 + 32));
  EXPECT_EQ(pass.gradients[2].ready, Seconds(7 + 64 + 32 + 16));
  EXPECT_EQ(pass.end, Seconds(7 + 64 + 32 + 16));
  EXPECT_EQ(pass.gradients[0].bytes, 4 * 7);
  EXPECT_EQ(pass.gradients[1].bytes, 4 * 1000);
  EXPECT_EQ(pass.gradients[2].bytes, 4 * 110);
}

TEST(BackwardPass, NeedsALayer) {
  EXPECT_THROW((void)backward_pass({}), InternalError);
}

}  // namespace
}  // namespace gradwire::schedule
