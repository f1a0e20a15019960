#include "harness/run/measuring/standing_wiring.h"

#include <gtest/gtest.h>

namespace gradwire::run {
namespace {

constexpr std::uint64_t kMany = 100'000'000;

bool on_plan(std::uint64_t sent, std::uint64_t received, const PlannedTraffic& planned) {
  const testbed::LinkCounters before{.sent_bytes = 77, .received_bytes = 99};
  return is_on_plan(before, {.sent_bytes = 77 + sent, .received_bytes = 99 + received}, planned,
                    {.message = message_overhead(names::TransportKind::tcp)});
}

TEST(IsOnPlan, BytesMayBeOffByAShareEitherWay) {
  const PlannedTraffic planned{.sent_bytes = kMany, .received_bytes = kMany};
  EXPECT_TRUE(on_plan(kMany, kMany, planned));
  EXPECT_TRUE(on_plan(kMany + kMany / 50, kMany - kMany / 50, planned));
  EXPECT_FALSE(on_plan(kMany + kMany / 25, kMany, planned));
  EXPECT_FALSE(on_plan(kMany, kMany - kMany / 25, planned));
}

// A thousand iterations of messages of some bytes: most of what is counted are their headers.
TEST(IsOnPlan, SmallMessagesAreMostlyHeaders) {
  constexpr std::uint64_t kMessages = 20'000;
  const PlannedTraffic planned{
      .sent_bytes = kMessages * 4, .received_bytes = kMessages * 4, .messages = 2 * kMessages};
  const std::uint64_t counted = kMessages * (4 + 2 * 66);
  EXPECT_TRUE(on_plan(counted, counted, planned));
  EXPECT_TRUE(on_plan(kMessages * 70, kMessages * 70, planned)) << "what acknowledges, sends too";
  EXPECT_FALSE(on_plan(2 * counted, counted, planned)) << "of another's bytes";
}

TEST(IsOnPlan, HeadersMakeNothingOfWhatIsMissing) {
  const PlannedTraffic planned{.sent_bytes = kMany, .received_bytes = kMany, .messages = 1'000'000};
  EXPECT_FALSE(on_plan(kMany - kMany / 25, kMany, planned));
}

}  // namespace
}  // namespace gradwire::run
