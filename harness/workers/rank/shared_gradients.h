#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "core/dtype.h"
#include "core/elements.h"
#include "transport/device/device.h"

namespace gradwire::workers {

/// Memory for the gradients of a rank's assignments, which share it: only one of them is in its turn,
/// and it fills what it begins with anew. A buffer is kept as long as somebody has it.
class SharedGradients {
 public:
  /// Makes what is allocated from now on large enough for so many elements, so that those who come
  /// later find room.
  void expect(std::size_t elements) { expected_ = elements; }

  /// Memory of the host for at least so many elements. Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<ElementBuffer> on_host(Dtype type, std::size_t elements);
  /// Memory of a device for at least so many elements. Throws DeviceError.
  [[nodiscard]] transport::device::DeviceMemory on_device(transport::device::Device& device,
                                                          Dtype type, std::size_t elements);

 private:
  struct OnDevice {
    std::weak_ptr<void> owner;
    transport::device::DeviceElements elements;
  };

  std::size_t expected_ = 0;
  std::map<Dtype, std::weak_ptr<ElementBuffer>> on_host_;
  std::map<Dtype, OnDevice> on_device_;
};

}  // namespace gradwire::workers
