#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace gradwire::cuda {

/// Throws DeviceError, with CUDA's own message, unless a call of CUDA succeeded. `what` names the
/// call: "cudaMalloc of 64 bytes".
void require_success(cudaError_t result, const std::string& what);
/// Throws DeviceError unless a kernel was started, given what a function of kernels.h returns.
void require_started(int result, const char* kernel);

}  // namespace gradwire::cuda
