#include "harness/workers/failure.h"

#include <cerrno>
#include <new>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::workers {
namespace {

using ::testing::HasSubstr;

TEST(Failure, SurvivesTheControlConnection) {
  const FabricError error(FabricFailure::stalled,
                          {.rank = Rank(3), .peer = Rank(2), .port = Port(0), .step = 5},
                          "nothing moved");
  Failure failure = describe_failure(error);
  failure.down = {Port(0), Port(3)};
  const Failure again = failure_from_json(to_json(failure));
  EXPECT_EQ(again.message, failure.message);
  EXPECT_EQ(again.detail, "nothing moved");
  EXPECT_EQ(again.fabric, FabricFailure::stalled);
  EXPECT_EQ(again.place, failure.place);
  EXPECT_EQ(again.down, failure.down);
}

// What the limits of the process refuse is told with the limit's name.
TEST(Failure, NamesTheLimitThatWasReached) {
  const std::system_error no_thread(EAGAIN, std::generic_category());
  EXPECT_THAT(describe_failure(no_thread).message, HasSubstr("pids.max"));
  EXPECT_THAT(describe_failure(std::bad_alloc()).message, HasSubstr("Cannot allocate memory"));
}

}  // namespace
}  // namespace gradwire::workers
