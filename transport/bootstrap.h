#pragma once

#include <span>

#include "core/clock.h"
#include "core/elements.h"
#include "core/id.h"
#include "core/plan.h"
#include "transport/cancellation.h"
#include "transport/port_binding.h"
#include "transport/rendezvous.h"

namespace gradwire::transport {

/// Everything that a transport needs to connect the lanes of one rank. What it refers to must live
/// while they are connected; gradient, cancellation and clock as long as the endpoints.
struct Bootstrap {
  const Plan& plan;                         ///< the Plan whose lanes are connected
  Rank self;                                ///< the rank that connects
  Elements gradient;                        ///< the buffer that the Plan's extents refer to
  std::span<const PortBinding> ports = {};  ///< by Port
  Rendezvous& rendezvous;                   ///< among all ranks of the run
  const Cancellation& cancellation;         ///< ends connecting, and every wait of an endpoint
  const Clock& clock;
};

}  // namespace gradwire::transport
