#pragma once

#include <cstdint>

#include "core/units.h"

namespace gradwire::transport::ucx {

/// Transport of UCX that carries the bytes.
enum class Wire : std::uint8_t {
  tcp,  ///< UCX's TCP on the port's interface
  rc,   ///< reliable connections of libibverbs on the port's RDMA device
};

/// Options of a UCX context.
struct ContextOptions {
  Wire wire = Wire::tcp;
  /// Longest time that RC data may stay unacknowledged before the device sends it again. It is
  /// given up after eight times that.
  Nanoseconds acknowledgement = std::chrono::seconds(4);
  /// Whether UCX gets addresses of CUDA's memory, which it must be built for.
  bool cuda = false;
};

}  // namespace gradwire::transport::ucx
