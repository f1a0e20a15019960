#pragma once

#include <optional>
#include <string>

#include "core/clock.h"
#include "transport/device/copy_speed.h"

namespace gradwire::workers {

/// Findings of `memory: device` on this machine.
struct GpuFindings {
  std::string gpu;  ///< "usable: NVIDIA H100 ...", or why there is none (transport/cuda/open.h)
  std::optional<transport::device::CopySpeed> copies;  ///< absent: not measured
  std::string why_not;  ///< the copies were not measured; empty where they were
  std::string ways;     ///< ways of transports to gradients there: "tcp staged; ucx staged; ..."

  [[nodiscard]] bool usable() const { return copies.has_value(); }
};

/// Looks for a GPU, and measures copies to and from its memory. Blocks meanwhile. Never throws for
/// what is missing: it says so.
[[nodiscard]] GpuFindings find_gpu(const Clock& clock);

/// A line for each: "gpu: ...", "bus: 24.1 GB/s to the host, 23.8 GB/s to the GPU" or "bus: not
/// measured: " and why, "gradients: ...". Programs read these.
[[nodiscard]] std::string to_text(const GpuFindings& findings);

}  // namespace gradwire::workers
