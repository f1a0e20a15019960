// Instead of this folder's other sources where libibverbs is not there.
#include "core/error.h"
#include "transport/verbs/connect.h"
#include "transport/verbs/usable_mtu.h"

namespace gradwire::transport::verbs {
namespace {

constexpr const char* kAbsent = "this gradwire was built without libibverbs";

}  // namespace

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap&, const ConnectOptions&) {
  throw InputError(kAbsent);
}

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap&, const ConnectOptions&,
                                               const device::DeviceGradient&) {
  throw InputError(kAbsent);
}

std::size_t usable_mtu(const PortBinding&) {
  throw InputError(kAbsent);
}

}  // namespace gradwire::transport::verbs
