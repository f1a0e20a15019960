#pragma once

#include <string>

#include "transport/device/device.h"

namespace gradwire::cuda {

/// Facts that decide how RDMA devices access a GPU's memory.
struct RdmaFacts {
  bool peermem = false;  ///< the kernel module nvidia-peermem is loaded
  bool dma_buf = false;  ///< the driver exports the GPU's memory as a dma-buf
};

/// The access that the facts allow: nvidia-peermem where it is loaded, as it needs nothing of the
/// RDMA device's driver; else dma-buf.
[[nodiscard]] constexpr transport::device::RdmaAccess access_of(const RdmaFacts& facts) {
  using transport::device::RdmaAccess;
  if (facts.peermem) return RdmaAccess::addresses;
  return facts.dma_buf ? RdmaAccess::dma_buf : RdmaAccess::none;
}

/// The way in which RDMA devices access the memory of the first GPU that CUDA finds; none where
/// there is no GPU. Whether an RDMA device imports a dma-buf is known only when it is asked to.
/// Never throws because something is missing.
[[nodiscard]] transport::device::RdmaAccess find_rdma_access();

}  // namespace gradwire::cuda
