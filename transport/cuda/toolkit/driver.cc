#include "transport/cuda/toolkit/driver.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/core.h>

namespace gradwire::cuda {
namespace {

/// Finds a function of libcuda; null where there is no such library, or an older one. `name` is the
/// name in the library, not in the header, where the same word may mean a newer version.
template <class Function>
Function* find(const char* name) {
  static void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
}

using GetAttribute = CUresult(int* value, CUdevice_attribute attribute, CUdevice device);
using GetHandle = CUresult(void* handle, CUdeviceptr address, std::size_t bytes,
                           CUmemRangeHandleType type, unsigned long long flags);

bool exports_dma_buf(int gpu) {
  auto* const ask = find<GetAttribute>("cuDeviceGetAttribute");
  int value = 0;
  return ask != nullptr && find<GetHandle>("cuMemGetHandleForAddressRange") != nullptr &&
         ask(&value, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, gpu) == CUDA_SUCCESS && value != 0;
}

}  // namespace

RdmaFacts rdma_facts(int gpu) {
  std::error_code ignored;
  return {.peermem = std::filesystem::exists("/sys/module/nvidia_peermem", ignored),
          .dma_buf = exports_dma_buf(gpu)};
}

transport::device::DmaBuf export_memory(std::span<std::byte> memory) {
  auto* const get_handle = find<GetHandle>("cuMemGetHandleForAddressRange");
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t begin = address / kLargestPage * kLargestPage;
  const std::uintptr_t end =
      (address + memory.size() + kLargestPage - 1) / kLargestPage * kLargestPage;
  int file = -1;
  const CUresult result =
      get_handle == nullptr
          ? CUDA_ERROR_NOT_SUPPORTED
          : get_handle(&file, begin, end - begin, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0);
  if (result != CUDA_SUCCESS) {
    throw transport::device::DeviceError(
        fmt::format("export {} bytes of the GPU's memory as a dma-buf: error {} of CUDA's driver",
                    memory.size(), static_cast<int>(result)));
  }
  return {.file = FileDescriptor(file), .offset = address - begin};
}

}  // namespace gradwire::cuda
