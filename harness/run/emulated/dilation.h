#pragma once

#include <cstddef>
#include <memory>

#include "core/clock.h"
#include "core/units.h"
#include "topologies/topology.h"
#include "transport/execution/settings.h"

namespace gradwire::run {

/// Links to be emulated, undilated.
struct WantedLinks {
  BitRate rate;
  std::size_t mtu = 0;
  const execution::TransportSettings& transport;
  Nanoseconds timeout{};  ///< nothing moves for this long: measuring fails
};

/// Factor by which links of this wiring are to run slower so that the machine has time for them
/// (`dilation: auto`): at least 1, and 1 where they have no rate. Builds the wiring and carries
/// some bytes over all of its links at once. Must run inside testbed::run_in_sandbox. Throws
/// FabricError, Interrupted, SystemError.
[[nodiscard]] double choose_dilation(const std::shared_ptr<const topologies::Topology>& topology,
                                     const WantedLinks& links, const Clock& clock);

}  // namespace gradwire::run
