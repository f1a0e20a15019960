#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/id.h"
#include "core/plan.h"
#include "core/units.h"
#include "transport/authentication.h"
#include "transport/cancellation.h"
#include "transport/device/device.h"
#include "transport/endpoint.h"
#include "transport/execution/settings.h"
#include "transport/port_binding.h"
#include "transport/rendezvous.h"

namespace gradwire::execution {

/// One rank of a job: who it is, and what it reaches the others with. What it refers to must outlive
/// all that is connected with it.
struct RankEnds {
  Rank self;
  std::span<const transport::PortBinding> ports;  ///< by Port
  const execution::TransportSettings& transport;  ///< transport and settings, the same on all ranks
  transport::RunKey key{};                        ///< key of the run, the same on all ranks
  Nanoseconds timeout{};                          ///< nothing moves for this long: it fails
  Nanoseconds startup{};                          ///< emulated start-up time of a message
  BitRate rate = kUnlimited;                      ///< rate of the links, as far as it is known
  transport::Rendezvous& rendezvous;
  transport::Cancellation& cancellation;
  const Clock& clock;
};

/// Connects the Plan's lanes over the rank's transport: an endpoint per lane. `gradient` must outlive
/// them. Collective. Throws what the transport's connect throws.
[[nodiscard]] std::vector<std::unique_ptr<transport::Endpoint>> connect(const Plan& plan,
                                                                        Elements gradient,
                                                                        const RankEnds& ends);
/// Connects the Plan's lanes for a gradient in a device's memory: staged, or handed over where the
/// transport takes it (gradient_way.h); else as for one of the host. Throws DeviceError, too.
[[nodiscard]] std::vector<std::unique_ptr<transport::Endpoint>> connect(
    const Plan& plan, const transport::device::DeviceGradient& gradient, const RankEnds& ends);

}  // namespace gradwire::execution
