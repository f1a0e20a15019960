#include "harness/workers/rank/shared_gradients.h"

#include <algorithm>
#include <utility>

namespace gradwire::workers {

namespace device = transport::device;

std::shared_ptr<ElementBuffer> SharedGradients::on_host(Dtype type, std::size_t elements) {
  std::weak_ptr<ElementBuffer>& known = on_host_[type];
  if (auto shared = known.lock(); shared && shared->elements().size() >= elements) return shared;
  auto made = std::make_shared<ElementBuffer>(type, std::max(elements, expected_));
  known = made;
  return made;
}

device::DeviceMemory SharedGradients::on_device(device::Device& device, Dtype type,
                                                std::size_t elements) {
  OnDevice& known = on_device_[type];
  if (auto owner = known.owner.lock(); owner && known.elements.size() >= elements) {
    return {.owner = std::move(owner), .elements = known.elements};
  }
  device::DeviceMemory made = device.allocate(type, std::max(elements, expected_));
  known = {.owner = made.owner, .elements = made.elements};
  return made;
}

}  // namespace gradwire::workers
