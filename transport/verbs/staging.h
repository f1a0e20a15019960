#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "transport/device/lane_memory.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/device.h"

namespace gradwire::transport::verbs {

/// Size of a staging ring.
struct StagingSize {
  std::size_t slots = 0;
  std::size_t slot = 0;           ///< elements of each
  std::size_t element_bytes = 0;  ///< bytes of one element

  [[nodiscard]] std::size_t slot_bytes() const { return slot * element_bytes; }
  /// Bytes of all slots.
  [[nodiscard]] std::size_t bytes() const { return slots * slot_bytes(); }
};

/// Ring of slots where a channel's segments to be added arrive.
class Staging {
 public:
  /// Registers `ring`, a part of the lane's staging memory of this size, which must outlive it.
  /// Throws SystemError when it cannot be registered.
  Staging(const std::shared_ptr<Device>& opened, const device::LaneMemory& memory,
          std::span<std::byte> ring, const StagingSize& size)
      : size_(size), ring_(ring), region_(opened, ring, memory.exported(ring)) {}

  /// The memory of a slot.
  [[nodiscard]] std::span<std::byte> at(std::size_t slot) const {
    return ring_.subspan(slot * size_.slot_bytes(), size_.slot_bytes());
  }
  /// The address and key that the peer needs to write into the ring.
  [[nodiscard]] RemoteMemory remote() const {
    return {.address = region_.address(), .key = region_.remote_key()};
  }
  /// Elements of a slot.
  [[nodiscard]] std::size_t slot_elements() const { return size_.slot; }

 private:
  StagingSize size_;
  std::span<std::byte> ring_;
  MemoryRegion region_;
};

}  // namespace gradwire::transport::verbs
