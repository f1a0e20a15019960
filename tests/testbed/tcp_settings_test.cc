#include "testbed/tcp_settings.h"

#include <gtest/gtest.h>

/// What of a kernel's release decides about a receiver's buffer.
namespace gradwire::testbed {
namespace {

TEST(ReceiveBuffer, IsTwiceTheWindowBeforeLinuxSixSix) {
  for (const char* release : {"4.19.0", "5.15.0-91-generic", "6.5.13-amd64"}) {
    EXPECT_EQ(receive_buffer(release), 512U * 1024U) << release;
  }
}

// 15/16 of it are within a few bytes of the window, and never more.
TEST(ReceiveBuffer, IsASixteenthMoreThanTheWindowSince) {
  for (const char* release : {"6.6.0", "6.18.44-fc", "7.0", "10.1.2", "", "mainline"}) {
    const std::size_t payload = receive_buffer(release) / 16 * 15;
    EXPECT_LE(payload, kReceiveWindow) << release;
    EXPECT_GT(payload, kReceiveWindow - 64) << release;
  }
}

}  // namespace
}  // namespace gradwire::testbed
