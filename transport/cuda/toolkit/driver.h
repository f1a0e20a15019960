#pragma once

#include <cstddef>
#include <span>

#include "transport/cuda/rdma_access.h"
#include "transport/device/device.h"

/// Facts that only NVIDIA's driver knows. They come from its library, libcuda, which is not linked
/// to, because the program starts on hosts without it.
namespace gradwire::cuda {

/// The largest page size of hosts; exported memory begins and ends on such a page.
inline constexpr std::size_t kLargestPage = 64 * 1024;

/// The facts about a GPU that CUDA has found, by its number. Never throws because something is
/// missing.
[[nodiscard]] RdmaFacts rdma_facts(int gpu);

/// Exports memory together with all pages that it lies on, which must belong to one allocation.
/// Throws DeviceError.
[[nodiscard]] transport::device::DmaBuf export_memory(std::span<std::byte> memory);

}  // namespace gradwire::cuda
