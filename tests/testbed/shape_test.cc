#include "testbed/shape.h"

#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

// MTU 9000: 8948 of 9014 bytes are payload. MTU 1500: 1448 of 1514.
TEST(PayloadFraction, LeavesOutTheHeaders) {
  EXPECT_DOUBLE_EQ(payload_fraction(9000), 8948.0 / 9014.0);
  EXPECT_DOUBLE_EQ(payload_fraction(1500), 1448.0 / 1514.0);
}

// 1 ms of 10 Gbit/s is 1.25 MB; slow links still need room for one offload packet.
TEST(DefaultBurst, CoversAMillisecondAndAnOffloadPacket) {
  EXPECT_EQ(default_burst({10e9}), 1'250'000u);
  EXPECT_GT(default_burst({1e6}), 65536u);
}

}  // namespace
}  // namespace gradwire::testbed
