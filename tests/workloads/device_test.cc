#include "workloads/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

using ::testing::HasSubstr;

// Cores times two operations times the clock that the description names.
TEST(Devices, PeaksFollowFromCoresAndTheNamedClock) {
  EXPECT_NEAR(find_device("k40c").flops, 2880 * 2 * 745e6, 0.01e12);
  EXPECT_NEAR(find_device("k80").flops, 2496 * 2 * 875e6, 0.01e12);
  EXPECT_NEAR(find_device("v100").flops, 5120 * 2 * 1530e6, 0.05e12);
  EXPECT_NEAR(find_device("h100").flops, 16896 * 2 * 1980e6, 0.05e12);
}

TEST(Devices, HaveTheBandwidthOfTheirMemory) {
  EXPECT_EQ(find_device("k40c").bandwidth, 288e9);
  EXPECT_EQ(find_device("k80").bandwidth, 240e9);
  EXPECT_EQ(find_device("v100").bandwidth, 900e9);
  EXPECT_EQ(find_device("h100").bandwidth, 3.35e12);
}

TEST(Devices, SayWhichPeakTheyState) {
  for (const Device& device : devices()) {
    EXPECT_THAT(device.description, HasSubstr("float32")) << device.name;
    EXPECT_THAT(device.description, HasSubstr("clock of")) << device.name;
    EXPECT_EQ(find_device(device.name).name, device.name);
  }
}

TEST(Devices, AnUnknownOneNamesThoseThereAre) {
  try {
    static_cast<void>(find_device("k81"));
    FAIL() << "k81 does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("unknown device 'k81' (did you mean 'k80'?); there are: k40c, k80, v100, h100"));
  }
}

}  // namespace
}  // namespace gradwire::workloads
