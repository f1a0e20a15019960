#include "transport/device/device.h"

#include <fmt/core.h>

namespace gradwire::transport::device {

void require_alike(Dtype type, Dtype other, std::size_t count, std::size_t others) {
  ensure(type == other, "elements of one call are of one type");
  ensure(count == others, "elements of one call are as many on both sides");
}

DmaBuf Device::export_memory(std::span<std::byte> memory) const {
  throw DeviceError(
      fmt::format("{}: {} bytes of its memory cannot be exported", name(), memory.size()));
}

}  // namespace gradwire::transport::device
