#pragma once

#include <cstddef>
#include <span>

#include "transport/cuda/rdma_access.h"
#include "transport/device/device.h"

/// What only NVIDIA's driver knows: asked by its library, libcuda, which is not linked to, because the
/// program starts on hosts without it.
namespace gradwire::cuda {

/// The page of hosts whose pages are largest: exported memory begins and ends at one.
inline constexpr std::size_t kLargestPage = 64 * 1024;

/// What decides about a GPU that CUDA has found, by its number. Never throws for what is missing.
[[nodiscard]] RdmaFacts rdma_facts(int gpu);

/// Exports memory, with all pages that it lies on, which must be of one allocation. Throws DeviceError.
[[nodiscard]] transport::device::DmaBuf export_memory(std::span<std::byte> memory);

}  // namespace gradwire::cuda
