#include "transport/device/lane_memory.h"

#include <fmt/core.h>

#include "core/error.h"
#include "transport/add.h"

namespace gradwire::transport::device {

std::span<std::byte> HostLaneMemory::allocate_staging(std::size_t bytes, std::size_t) {
  staging_.resize(bytes);  // aligned for any type, as all that operator new gives
  return staging_;
}

void HostLaneMemory::begin_add(const Extent& sums, std::span<std::byte> terms, std::size_t) {
  transport::add(type(), at(sums), terms);
}

DeviceLaneMemory::DeviceLaneMemory(const DeviceGradient& gradient)
    : LaneMemory({gradient.gradient.address(), gradient.gradient.bytes()}, gradient.gradient.type(),
                 gradient.device.reach()),
      gradient_(gradient) {
  ensure(reach() != Reach::streams, "a library is handed addresses that it can reach");
}

std::span<std::byte> DeviceLaneMemory::allocate_staging(std::size_t bytes, std::size_t additions) {
  staging_ = gradient_.device.allocate(Dtype::byte, bytes);
  stream_ = gradient_.device.make_stream(additions);
  return {staging_.elements.address(), bytes};
}

void DeviceLaneMemory::begin_add(const Extent& sums, std::span<std::byte> terms,
                                 std::size_t addition) {
  stream_->add(gradient_.gradient.part(sums), {terms.data(), sums.count, type()});
  stream_->mark(addition);
}

bool DeviceLaneMemory::is_added(std::size_t addition) {
  return stream_->is_done(addition);
}

std::optional<DmaBuf> DeviceLaneMemory::exported(std::span<std::byte> bytes) const {
  const Device& device = gradient_.device;
  if (device.rdma_access() == RdmaAccess::addresses) return {};
  if (device.rdma_access() == RdmaAccess::dma_buf) return device.export_memory(bytes);
  throw DeviceError(fmt::format("{}: RDMA devices cannot reach its memory", device.name()));
}

}  // namespace gradwire::transport::device
