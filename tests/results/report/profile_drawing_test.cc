#include "results/report/profile_drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;

// The last layer's gradient is ready first. Of 100 us of the backward pass, 40 characters wide, the last layer takes 50,
// the middle one none, and the first the rest; their 25, 25 and 50 elements have four bytes each.
TEST(ProfileDrawing, HasALineForEachLayerInBackwardOrder) {
  const workloads::Profile profile{
      .source = "a stopwatch",
      .measured = true,
      .layers = {
          {.name = "a", .tensors = {20, 30}, .forward = Seconds(9e-6), .backward = Seconds(50e-6)},
          {.name = "b", .tensors = {25}, .forward = Seconds(1e-6), .backward = Seconds(0)},
          {.name = "c", .tensors = {25}, .forward = Seconds(0), .backward = Seconds(50e-6)}}};
  const std::string text = draw_profile(profile);
  EXPECT_THAT(text,
              HasSubstr("# measured: a stopwatch\n# 3 layers, 400 B of gradients; forward 10.0 us, "
                        "backward 100.0 us\n"));
  const std::string half(20, '=');
  const std::string blank(20, ' ');
  EXPECT_THAT(
      text, HasSubstr("\n   c        100      50.0   50.0   50.0   25.0  " + half +
                      "\n   b        100       0.0   50.0   50.0   50.0  " + blank + "." +
                      "\n   a        200      50.0  100.0  100.0  100.0  " + blank + half + "\n"));
}

// Shares of nothing are nothing, and a bar stays within the drawing.
TEST(ProfileDrawing, DrawsAPassThatTakesNoTime) {
  const workloads::Profile profile{.source = "derived: by hand",
                                   .layers = {{.name = "a", .tensors = {1}}}};
  EXPECT_THAT(draw_profile(profile),
              HasSubstr("\n   a          4       0.0    0.0    0.0  100.0  .\n"));
}

// A layer that takes next to nothing at the end is still seen.
TEST(ProfileDrawing, DrawsTheShortestLayer) {
  const workloads::Profile profile{
      .source = "derived: by hand",
      .layers = {{.name = "a", .tensors = {1}, .backward = Seconds(1e-9)},
                 {.name = "b", .tensors = {1}, .backward = Seconds(1)}}};
  EXPECT_THAT(draw_profile(profile), HasSubstr("100.0  100.0  " + std::string(39, ' ') + "=\n"));
}

}  // namespace
}  // namespace gradwire::report
