#pragma once

#include <memory>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "core/elements.h"
#include "transport/cuda/open.h"
#include "transport/device/device.h"
#include "transport/device/stand_in.h"

/// The devices that tests run on: stand-ins everywhere, and a GPU where there is one.
namespace gradwire::transport::device {

enum class TestDevice { stand_in_beside, stand_in_when_asked, gpu };

inline std::string to_string(TestDevice device) {
  if (device == TestDevice::gpu) return "Gpu";
  return device == TestDevice::stand_in_beside ? "StandInBeside" : "StandInWhenAsked";
}
inline void PrintTo(TestDevice device, std::ostream* out) {
  *out << to_string(device);
}

/// The device; null for a GPU where there is none.
inline std::unique_ptr<Device> make_device(TestDevice device) {
  if (device == TestDevice::stand_in_beside) return std::make_unique<StandInDevice>(Pace::beside);
  if (device == TestDevice::stand_in_when_asked) {
    return std::make_unique<StandInDevice>(Pace::when_asked);
  }
  try {
    return cuda::open_device();
  } catch (const DeviceError&) {
    return nullptr;
  }
}

/// Runs its tests on each device, and skips those on a GPU where there is none, with the reason.
class OnDevice : public ::testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override {
    device_ = make_device(GetParam());
    if (!device_) GTEST_SKIP() << "NOT RUN on a GPU: " << cuda::describe_gpu();
    stream_ = device_->make_stream(4);
  }

  /// Memory of the device with a copy of these elements.
  DeviceMemory on_device(const Elements& elements) {
    DeviceMemory memory = device_->allocate(elements.type(), elements.size());
    const PinnedMemory pinned = device_->allocate_pinned(elements.type(), elements.size());
    std::ranges::copy(elements.bytes(), pinned.elements.bytes().begin());
    stream_->copy_in(memory.elements, pinned.elements);
    stream_->synchronize();
    return memory;
  }
  /// A copy of what is on the device, once all is done.
  PinnedMemory on_host(const DeviceElements& elements) {
    PinnedMemory pinned = device_->allocate_pinned(elements.type(), elements.size());
    stream_->copy_out(pinned.elements, elements);
    stream_->synchronize();
    return pinned;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
};

inline const auto kAllDevices = ::testing::Values(TestDevice::stand_in_beside,
                                                  TestDevice::stand_in_when_asked, TestDevice::gpu);
inline std::string device_name(const ::testing::TestParamInfo<TestDevice>& info) {
  return to_string(info.param);
}

}  // namespace gradwire::transport::device
