#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "transport/device/lane_memory.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/device.h"

namespace gradwire::transport::verbs {

/// How large a staging ring is.
struct StagingSize {
  std::size_t slots = 0;
  std::size_t slot = 0;           ///< elements of each
  std::size_t element_bytes = 0;  ///< of one element

  [[nodiscard]] std::size_t slot_bytes() const { return slot * element_bytes; }
  /// Of all slots.
  [[nodiscard]] std::size_t bytes() const { return slots * slot_bytes(); }
};

/// The ring of slots where a channel's segments to be added arrive.
class Staging {
 public:
  /// `ring` are as many bytes of the lane's staging memory, which must outlive it. Throws SystemError
  /// when they cannot be registered.
  Staging(const std::shared_ptr<Device>& opened, const device::LaneMemory& memory,
          std::span<std::byte> ring, const StagingSize& size)
      : size_(size), ring_(ring), region_(opened, ring, memory.exported(ring)) {}

  /// The memory of a slot.
  [[nodiscard]] std::span<std::byte> at(std::size_t slot) const {
    return ring_.subspan(slot * size_.slot_bytes(), size_.slot_bytes());
  }
  /// What the peer needs to write into the ring.
  [[nodiscard]] RemoteMemory remote() const {
    return {.address = region_.address(), .key = region_.remote_key()};
  }
  /// The elements of a slot.
  [[nodiscard]] std::size_t slot_elements() const { return size_.slot; }

 private:
  StagingSize size_;
  std::span<std::byte> ring_;
  MemoryRegion region_;
};

}  // namespace gradwire::transport::verbs
