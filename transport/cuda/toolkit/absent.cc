#include "transport/cuda/open.h"
#include "transport/cuda/rdma_access.h"

namespace gradwire::cuda {
namespace {

constexpr const char* kAbsent = "this gradwire was built without CUDA";

}  // namespace

std::unique_ptr<transport::device::Device> open_device() {
  throw transport::device::DeviceError(kAbsent);
}

std::string describe_gpu() {
  return kAbsent;
}

transport::device::RdmaAccess find_rdma_access() {
  return transport::device::RdmaAccess::none;
}

}  // namespace gradwire::cuda
