#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "transport/device/device.h"

namespace gradwire::transport::device {

/// When a stand-in does what its streams are given.
enum class Pace : std::uint8_t {
  beside,      ///< a thread per stream does it, whenever it gets to it
  when_asked,  ///< each is_done() does one thing, and synchronize() the rest: what nobody waits for
               ///< is never done, and whoever does not wait always sees it
};

/// A device without hardware, for tests of what works with devices. Its addresses are mappings that
/// no instruction may read or write (a host that does is killed), unless it is made with
/// Reach::host. Its streams reach the same memory through mappings of their own.
class StandInDevice final : public Device {
 public:
  /// With Reach::host, no address is guarded: they can be handed to libraries as the host's.
  explicit StandInDevice(Pace pace, Reach reach = Reach::streams);
  ~StandInDevice() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Reach reach() const override { return reach_; }
  [[nodiscard]] DeviceMemory allocate(Dtype type, std::size_t count) override;
  [[nodiscard]] PinnedMemory allocate_pinned(Dtype type, std::size_t count) override;
  [[nodiscard]] std::unique_ptr<Stream> make_stream(std::size_t events) override;

  /// The memory of what was allocated, as streams reach it. Throws DeviceError for elements that are
  /// none of its own.
  [[nodiscard]] Elements reach(const DeviceElements& elements) const;

 private:
  class Regions;
  Pace pace_;
  Reach reach_;
  std::shared_ptr<Regions> regions_;
};

}  // namespace gradwire::transport::device
