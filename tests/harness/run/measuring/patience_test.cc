#include "harness/run/measuring/patience.h"

#include <vector>

#include <gmock/gmock.h>

namespace gradwire::run {
namespace {

using ::testing::ElementsAre;

// 0.2 (1 + 2 + 4 + 8) s = 3 s between five attempts.
TEST(Patience, WaitsTwiceAsLongEachTime) {
  std::vector<double> pauses;
  Patience patience([&](Seconds pause) { pauses.push_back(pause.count()); });
  std::size_t attempts = 1;
  while (patience.wait()) ++attempts;
  EXPECT_EQ(attempts, Patience::kAttempts);
  EXPECT_THAT(pauses, ElementsAre(0.2, 0.4, 0.8, 1.6));
  EXPECT_FALSE(patience.wait());
  EXPECT_EQ(pauses.size(), 4u);
}

}  // namespace
}  // namespace gradwire::run
