#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "transport/device/device.h"

namespace gradwire::transport::device {

/// Pace at which a stand-in device does the work of its streams.
enum class Pace : std::uint8_t {
  beside,      ///< on a thread per stream, whenever that gets to it
  when_asked,  ///< each is_done() does one piece of work, synchronize() the rest: work that
               ///< nobody waits for is never done, which shows who does not wait
};

/// Device without hardware, for tests of code that works with devices. Its addresses are mappings
/// that no instruction may read or write (a host that does is killed), unless it is made with
/// Reach::host. Its streams reach the same memory through mappings of their own.
class StandInDevice final : public Device {
 public:
  /// Makes a device that works at `pace`. With Reach::host, no address is guarded, so that
  /// addresses can be handed to libraries as the host's.
  explicit StandInDevice(Pace pace, Reach reach = Reach::streams);
  ~StandInDevice() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Reach reach() const override { return reach_; }
  [[nodiscard]] DeviceMemory allocate(Dtype type, std::size_t count) override;
  [[nodiscard]] PinnedMemory allocate_pinned(Dtype type, std::size_t count) override;
  [[nodiscard]] std::unique_ptr<Stream> make_stream(std::size_t events) override;

  /// The memory of allocated elements as streams reach it. Throws DeviceError for elements that
  /// this device did not allocate.
  [[nodiscard]] Elements reach(const DeviceElements& elements) const;

 private:
  class Regions;
  Pace pace_;
  Reach reach_;
  std::shared_ptr<Regions> regions_;
};

}  // namespace gradwire::transport::device
