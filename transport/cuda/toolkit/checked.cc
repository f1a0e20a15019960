#include "transport/cuda/toolkit/checked.h"

#include <fmt/core.h>

#include "transport/device/device.h"

namespace gradwire::cuda {

void require_success(cudaError_t result, const std::string& what) {
  if (result == cudaSuccess) return;
  throw transport::device::DeviceError(
      fmt::format("{}: {} ({})", what, cudaGetErrorString(result), cudaGetErrorName(result)));
}

void require_started(int result, const char* kernel) {
  require_success(static_cast<cudaError_t>(result), fmt::format("kernel {}", kernel));
}

}  // namespace gradwire::cuda
