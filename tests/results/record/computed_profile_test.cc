#include "results/record/computed_profile.h"

#include <gtest/gtest.h>

namespace gradwire::record {
namespace {

TEST(ComputedProfile, SaysWhatComputedAndWhatPredictsIt) {
  const std::string profile = computed_profile("two layers", "measured: a stopwatch");
  EXPECT_EQ(profile, "computed: two layers; predicted from measured: a stopwatch");
  EXPECT_TRUE(is_computed(profile));
  EXPECT_EQ(predicted_from(profile), "measured: a stopwatch");
}

TEST(ComputedProfile, TimedWaitsArePredictedFromTheirOwn) {
  for (const char* profile :
       {"measured: a stopwatch", "derived: 35 % of a V100", "computed: ", ""}) {
    EXPECT_FALSE(is_computed(profile)) << profile;
    EXPECT_EQ(predicted_from(profile), profile);
  }
}

}  // namespace
}  // namespace gradwire::record
