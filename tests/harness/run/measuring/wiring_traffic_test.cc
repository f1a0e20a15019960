#include "harness/run/measuring/wiring_traffic.h"

#include <gtest/gtest.h>

namespace gradwire::run {
namespace {

constexpr std::uint64_t kMany = 100'000'000;

bool on_plan(std::uint64_t sent, std::uint64_t received, const PlannedTraffic& planned) {
  return is_on_plan({.sent_bytes = sent, .received_bytes = received}, planned,
                    {.message = message_overhead(execution::TransportKind::tcp)});
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
  const ByteTolerance tolerance{.acknowledgements =
                                    acknowledgement_share(kMtu, testbed::Framing::tcp)};
  const auto sent_back = [&](std::uint64_t bytes) {
    return is_on_plan({.sent_bytes = bytes, .received_bytes = kPayload},
                      {.received_bytes = kPayload}, tolerance) &&
           is_on_plan({.sent_bytes = kPayload, .received_bytes = bytes}, {.sent_bytes = kPayload},
                      tolerance);
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

// Each counter grows by a step of its own.
WiringTraffic reading(std::uint64_t steps) {
  const auto signed_steps = static_cast<std::int64_t>(steps);
  return {.ports = {{.sent_bytes = 7 + steps, .received_bytes = 2 * steps},
                    {.sent_packets = 3 * steps, .received_packets = 5 * steps, .dropped = steps}},
          .tcp = {{.retransmitted = 11 * signed_steps, .probes = 13 * signed_steps},
                  {.fast = 17 * signed_steps, .duplicates = 19 * signed_steps}},
          .dropped = 5 + 23 * steps};
}

// later - earlier, and the sum of two such differences, is what was counted in both.
TEST(WiringTraffic, AddsUpWhatPassedBetweenReadings) {
  WiringTraffic sum;
  sum += reading(4) - reading(1);
  sum += reading(60) - reading(50);
  ASSERT_EQ(sum.ports.size(), 2U);
  EXPECT_EQ(sum.ports[0].sent_bytes, 13U);
  EXPECT_EQ(sum.ports[0].received_bytes, 2U * 13);
  EXPECT_EQ(sum.ports[1].sent_packets, 3U * 13);
  EXPECT_EQ(sum.ports[1].received_packets, 5U * 13);
  EXPECT_EQ(sum.ports[1].dropped, 13U);
  ASSERT_EQ(sum.tcp.size(), 2U);
  EXPECT_EQ(sum.tcp[0].retransmitted, 11 * 13);
  EXPECT_EQ(sum.tcp[0].probes, 13 * 13);
  EXPECT_EQ(sum.tcp[1].fast, 17 * 13);
  EXPECT_EQ(sum.tcp[1].duplicates, 19 * 13);
  EXPECT_EQ(sum.dropped, 23U * 13);
}

TEST(WiringTraffic, IsOnPlanWhereEveryPortIs) {
  const std::vector<PlannedTraffic> planned(2, {.sent_bytes = kMany});
  const ByteTolerance tolerance;
  WiringTraffic carried{.ports = {{.sent_bytes = kMany}, {.sent_bytes = kMany}}};
  EXPECT_TRUE(is_on_plan(carried, planned, tolerance));
  carried.ports[1].sent_bytes /= 2;
  EXPECT_FALSE(is_on_plan(carried, planned, tolerance));
  EXPECT_TRUE(is_on_plan(carried, {}, tolerance)) << "nobody says what it should be";
}

}  // namespace
}  // namespace gradwire::run
