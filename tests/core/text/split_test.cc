#include "core/text/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::text {
namespace {

using ::testing::ElementsAre;

// There is one part more than separators.
TEST(Split, KeepsWhatStandsBetweenSeparators) {
  EXPECT_THAT(split("8x3", 'x'), ElementsAre("8", "3"));
  EXPECT_THAT(split("x8xx", 'x'), ElementsAre("", "8", "", ""));
  EXPECT_THAT(split("8", 'x'), ElementsAre("8"));
  EXPECT_THAT(split("", 'x'), ElementsAre(""));
}

}  // namespace
}  // namespace gradwire::text
