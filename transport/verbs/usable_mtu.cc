#include "transport/verbs/usable_mtu.h"

#include "transport/verbs/device.h"

namespace gradwire::transport::verbs {

std::size_t usable_mtu(const PortBinding& port) {
  const Device device(port);
  return std::size_t{128} << static_cast<unsigned>(device.mtu());  // as ibv_mtu counts
}

}  // namespace gradwire::transport::verbs
