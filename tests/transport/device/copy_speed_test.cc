#include "transport/device/copy_speed.h"

#include <gtest/gtest.h>

#include "transport/device/stand_in.h"

namespace gradwire::transport::device {
namespace {

/// Each reading is later than the one before it by one tick more.
class SlowingClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    now_ += ++readings_ * std::chrono::milliseconds(1);
    return now_;
  }

 private:
  mutable int readings_ = 0;
  mutable TimePoint now_{};
};

// Bytes of all copies over the time between the readings around them: 2 ms, then 4 ms.
TEST(CopySpeed, IsBytesOverTime) {
  constexpr CopyOptions kOptions{.bytes = 1000, .copies = 5};
  for (const Pace pace : {Pace::beside, Pace::when_asked}) {
    StandInDevice device(pace);
    const SlowingClock clock;
    const CopySpeed speed = measure_copies(device, clock, kOptions);
    EXPECT_DOUBLE_EQ(speed.to_host, 5000 / 2e-3);
    EXPECT_DOUBLE_EQ(speed.to_device, 5000 / 4e-3);
  }
}

}  // namespace
}  // namespace gradwire::transport::device
