#include "testbed/shape.h"

#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

// MTU 9000: 8948 of 9014 bytes are payload. MTU 1500: 1448 of 1514.
TEST(PayloadFraction, LeavesOutTheHeaders) {
  EXPECT_DOUBLE_EQ(payload_fraction(9000), 8948.0 / 9014.0);
  EXPECT_DOUBLE_EQ(payload_fraction(1500), 1448.0 / 1514.0);
}

// A RoCE packet carries a power of two, behind 58 bytes of headers and checksum.
TEST(PayloadFraction, OfRoceIsThatOfItsPackets) {
  EXPECT_EQ(roce_payload(4200), 4096u);
  EXPECT_EQ(roce_payload(4176), 4096u);
  EXPECT_EQ(roce_payload(4175), 2048u);
  EXPECT_EQ(roce_payload(1500), 1024u);
  EXPECT_DOUBLE_EQ(payload_fraction(4200, Framing::roce), 4096.0 / 4154.0);
}

// 1 ms of 10 Gbit/s is 1.25 MB; slow links still need room for one offload packet.
TEST(DefaultBurst, CoversAMillisecondAndAnOffloadPacket) {
  EXPECT_EQ(default_burst({10e9}), 1'250'000u);
  EXPECT_GT(default_burst({1e6}), 65536u);
}

// RoCE sends packet by packet, so a slow link needs room for a few of them only.
TEST(DefaultBurst, OfRoceCoversAFewPackets) {
  EXPECT_EQ(default_burst({10e9}, Framing::roce), 1'250'000u);
  EXPECT_LT(default_burst({1e6}, Framing::roce), 20'000u);
}

// 125,000 bytes at 1 Mbit/s.
TEST(RefillTime, IsThatOfABurst) {
  EXPECT_DOUBLE_EQ(refill_time({.rate = {1e6}, .burst = 125'000}).count(), 1);
  EXPECT_EQ(refill_time(shape_for(kUnlimited, 9000)).count(), 0);
}

// Whole packets, less than 64 KiB with room for headers: seven of MTU 9000, 45 of MTU 1500, 1 at least.
TEST(LargestSegment, IsOfWholePackets) {
  EXPECT_EQ(largest_segment(9000), 7 * 8948u);
  EXPECT_EQ(largest_segment(1500), 45 * 1448u);
  EXPECT_EQ(largest_segment(65'535), 65'483u);
}

}  // namespace
}  // namespace gradwire::testbed
