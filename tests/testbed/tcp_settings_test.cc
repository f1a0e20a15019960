#include "testbed/tcp_settings.h"

#include <chrono>

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

// 2 * hosts * 512 KiB / rate, between TCP's usual 200 ms and 10 s.
TEST(TcpSettings, TimeoutsOutlastQueues) {
  using std::chrono::milliseconds;
  EXPECT_EQ(shortest_timeout({20e6}, 16), milliseconds(6711));
  EXPECT_EQ(shortest_timeout({100e6}, 16), milliseconds(1342));
  EXPECT_EQ(shortest_timeout({20e6}, 4), milliseconds(1678));
  EXPECT_EQ(shortest_timeout({10e9}, 16), milliseconds(200));
  EXPECT_EQ(shortest_timeout(kUnlimited, 16), milliseconds(200));
  EXPECT_EQ(shortest_timeout({1e6}, 16), milliseconds(10'000));
}

}  // namespace
}  // namespace gradwire::testbed
