#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace gradwire::cuda {

/// Throws DeviceError, with CUDA's words, unless a call of CUDA did what `what` says: "cudaMalloc of 64
/// bytes".
void require_success(cudaError_t result, const std::string& what);
/// The same of a kernel, for what kernels.h returns.
void require_started(int result, const char* kernel);

}  // namespace gradwire::cuda
