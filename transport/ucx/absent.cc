// Instead of this folder's other sources where UCX is not there.
#include "core/error.h"
#include "transport/ucx/connect.h"

namespace gradwire::transport::ucx {

std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap&, const ConnectOptions&) {
  throw InputError("this gradwire was built without UCX");
}
std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                               const ConnectOptions& options,
                                               const device::DeviceGradient&) {
  return connect(bootstrap, options);
}

bool takes_cuda_memory() {
  return false;
}

}  // namespace gradwire::transport::ucx
