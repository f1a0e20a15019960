#include "testbed/tcp_settings.h"

#include <gtest/gtest.h>

namespace gradwire::testbed {
namespace {

// Half of 512 KiB; from 6.6 on, 31/32 of it.
TEST(TcpSettings, WindowsAreTheKernels) {
  for (const char* half : {"5.10.0-28-amd64", "6.1.0-13-amd64", "6.5", "6", "", "unknown"}) {
    EXPECT_EQ(receive_window(half), 262'144) << half;
  }
  for (const char* most : {"6.6", "6.6.0-rc1", "6.18.44", "10.0.1"}) {
    EXPECT_EQ(receive_window(most), 507'904) << most;
  }
  EXPECT_GE(receive_window(), 262'144);
  EXPECT_LE(receive_window(), kReceiveBuffer);
}

}  // namespace
}  // namespace gradwire::testbed
