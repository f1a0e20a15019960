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

// A port that only receives sends 66 bytes for every 64 KiB or so, up to 78 for two packets.
TEST(IsOnPlan, APortThatOnlyReceivesAcknowledges) {
  constexpr std::uint64_t kPayload = 10'000'000'000;
  constexpr std::size_t kMtu = 9000;
  const testbed::LinkCounters before{};
  const ByteTolerance tolerance{.acknowledgements =
                                    acknowledgement_share(kMtu, testbed::Framing::tcp)};
  const auto sent_back = [&](std::uint64_t bytes) {
    return is_on_plan(before, {.sent_bytes = bytes, .received_bytes = kPayload},
                      {.received_bytes = kPayload}, tolerance) &&
           is_on_plan(before, {.sent_bytes = kPayload, .received_bytes = bytes},
                      {.sent_bytes = kPayload}, tolerance);
  };
  EXPECT_TRUE(sent_back(kPayload / 65'536 * 66));
  EXPECT_TRUE(sent_back(kPayload / (2 * kMtu) * 78));
  EXPECT_FALSE(sent_back(kPayload / kMtu * 78)) << "somebody else's bytes are among them";
}

// A packet of Soft-RoCE carries 4096 bytes at most, however large the interface's are.
TEST(AcknowledgementShare, GoesByPackets) {
  EXPECT_DOUBLE_EQ(acknowledgement_share(1500, testbed::Framing::tcp), 39.0 / 1448);
  EXPECT_DOUBLE_EQ(acknowledgement_share(9000, testbed::Framing::roce), 39.0 / 4096);
}

}  // namespace
}  // namespace gradwire::run
