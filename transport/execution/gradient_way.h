#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "transport/device/device.h"
#include "transport/execution/settings.h"

namespace gradwire::execution {

/// Way in which a transport gets at gradients in the memory of a device.
enum class GradientWay : std::uint8_t {
  staged,    ///< copied to and from pinned memory of the host
  pointers,  ///< the library, or the RDMA device, is handed the device's addresses
  none,      ///< it does not
};

/// Facts that decide the way. Libraries are asked only where it depends on them.
struct WayQuestion {
  execution::TransportKind transport = execution::TransportKind::tcp;
  transport::device::Reach reach = transport::device::Reach::streams;
  transport::device::RdmaAccess rdma = transport::device::RdmaAccess::none;
  std::function<bool()> ucx_takes_cuda;  ///< answers like transport::ucx::takes_cuda_memory
};

/// Device pointers where a transport takes them: UCX that was built with CUDA takes a GPU's, and verbs
/// what RDMA devices get at, or there is no way. Staged everywhere else.
[[nodiscard]] GradientWay way_of(const WayQuestion& question);
/// Returns the WayQuestion with the answers of this machine's libraries.
[[nodiscard]] WayQuestion ask_here(execution::TransportKind transport,
                                   transport::device::Reach reach,
                                   transport::device::RdmaAccess rdma);

/// "staged", "device pointers (ucx)", "device pointers (verbs, dma-buf)", or "none: " and why: for
/// people.
[[nodiscard]] std::string describe_way(const WayQuestion& question);

}  // namespace gradwire::execution
