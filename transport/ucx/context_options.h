#pragma once

#include <cstdint>

#include "core/units.h"

namespace gradwire::transport::ucx {

/// What carries the bytes.
enum class Wire : std::uint8_t {
  tcp,  ///< UCX's TCP on the port's interface
  rc,   ///< reliable connections of libibverbs on the port's RDMA device
};

/// What a context uses, and how.
struct ContextOptions {
  Wire wire = Wire::tcp;
  /// RC: how long sent data may stay unacknowledged before the device sends it again. It is given
  /// up after eight times that.
  Nanoseconds acknowledgement = std::chrono::seconds(4);
  /// Whether it is handed addresses of CUDA's memory, which it must be built for.
  bool cuda = false;
};

}  // namespace gradwire::transport::ucx
