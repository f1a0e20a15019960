// What is never synced is found to be lost: without this, power_test would prove nothing.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuts.h"
#include "root.h"

namespace gradwire::record {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What is found broken when something is never synced.
std::vector<std::string> broken_without(const std::string& syncs) {
  const Root root;
  const History history = write_history({.root = root.path(), .swallows = syncs});
  const Cuts cuts = cut_everywhere(history, {.states = 4});
  fmt::print("without syncs of {}: {} states, first: {}\n", syncs, cuts.states,
             cuts.broken.empty() ? "nothing broken" : cuts.broken.front());
  return cuts.broken;
}

TEST(PowerCanary, ALineThatIsNotSyncedIsMissed) {
  EXPECT_THAT(broken_without("lines"), Contains(HasSubstr("were acknowledged; there are")));
}

TEST(PowerCanary, AFolderThatIsNotSyncedIsMissed) {
  EXPECT_THAT(broken_without("folders"), Contains(HasSubstr("was acknowledged and is lost")));
}

TEST(PowerCanary, ADocumentThatIsNotSyncedIsMissed) {
  EXPECT_THAT(broken_without("documents"), Not(IsEmpty()));
}

}  // namespace
}  // namespace gradwire::record
