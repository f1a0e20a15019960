#include "transport/device/device.h"

namespace gradwire::transport::device {

void require_alike(Dtype type, Dtype other, std::size_t count, std::size_t others) {
  ensure(type == other, "elements of one call are of one type");
  ensure(count == others, "elements of one call are as many on both sides");
}

}  // namespace gradwire::transport::device
