#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::transport::loopback {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

FabricError refusal(MeetingPoint& point, Rank self) {
  try {
    static_cast<void>(point.meet(self, ""));
  } catch (const FabricError& error) {
    return error;
  }
  throw InternalError("met, though some are missing");
}

TEST(MeetingPoint, HandsOutWhatAllHaveBrought) {
  MeetingPoint point(2, 30s);
  for (int round = 0; round < 3; ++round) {
    auto other = std::async(std::launch::async, [&] { return point.meet(Rank(1), "b"); });
    EXPECT_EQ(point.meet(Rank(0), "a"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(other.get(), (std::vector<std::string>{"a", "b"}));
  }
}

// Whoever waits says who is missing, also when another has given up before.
TEST(MeetingPoint, ListsWhoDidNotCome) {
  MeetingPoint point(5, 20ms);
  for (const std::size_t self : {3u, 0u}) {
    const FabricError error = refusal(point, Rank(self));
    EXPECT_EQ(error.failure(), FabricFailure::stalled);
    EXPECT_EQ(error.place(), (FabricPlace{.rank = Rank(self), .peer = Rank(self == 3 ? 0 : 1)}));
    EXPECT_THAT(error.detail(),
                HasSubstr(self == 3 ? "rank 0, 1, 2, 4 did not come" : "rank 1, 2, 4 did not"));
  }
}

TEST(MeetingPoint, SendsAwayWhoWaitsWhenItIsClosed) {
  MeetingPoint point(2, 30s);
  auto waiting = std::async(std::launch::async, [&] { return refusal(point, Rank(0)).failure(); });
  point.close();
  EXPECT_EQ(waiting.get(), FabricFailure::cancelled);
}

}  // namespace
}  // namespace gradwire::transport::loopback
