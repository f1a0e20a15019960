#include "harness/run/measuring/stragglers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/flags.h"

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An iteration of four ranks that took so long, and how long each stood still.
std::vector<record::RankIteration> iteration(Nanoseconds took, std::vector<Nanoseconds> still) {
  std::vector<record::RankIteration> ranks;
  for (const Nanoseconds one : still) {
    ranks.push_back({.start = 5s, .end = 5s + took, .stood_still = one});
  }
  return ranks;
}

TEST(Stragglers, AreThoseThatMadeTheIterationLonger) {
  EXPECT_THAT(stragglers(iteration(260ms, {0ms, 0ms, 200ms, 0ms}), 60ms), ElementsAre(Rank(2)));
  EXPECT_THAT(stragglers(iteration(260ms, {200ms, 0ms, 200ms, 0ms}), 60ms),
              ElementsAre(Rank(0), Rank(2)));
}

// 99 ms are too little, and 200 ms that cost nobody anything are nobody's business.
TEST(Stragglers, AreNotThoseThatDidNoHarm) {
  EXPECT_THAT(stragglers(iteration(260ms, {0ms, 0ms, 99ms, 0ms}), 60ms), IsEmpty());
  EXPECT_THAT(stragglers(iteration(260ms, {0ms, 0ms, 200ms, 0ms}), 240ms), IsEmpty());
}

// When all stand still, that is the machine.
TEST(Stragglers, AreNoneOnAMachineThatIsBusy) {
  EXPECT_THAT(stragglers(iteration(800ms, {300ms, 400ms, 350ms, 500ms}), 60ms), IsEmpty());
  EXPECT_THAT(stragglers({}, 60ms), IsEmpty());
}

// The row names the rank, and the sentence about it is found all the same.
TEST(Stragglers, AreNamedByTheirFlag) {
  EXPECT_EQ(record::straggler_flag(Rank(12)), "straggler-12");
  EXPECT_EQ(record::explain_flag("straggler-12"), record::explain_flag(record::kFlagStraggler));
  EXPECT_NE(record::explain_flag("straggler-12"), record::explain_flag("no such flag"));
}

}  // namespace
}  // namespace gradwire::run
