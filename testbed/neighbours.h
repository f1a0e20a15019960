#pragma once

#include <cstddef>
#include <vector>

#include "core/clock.h"
#include "testbed/cabling.h"
#include "testbed/emulation.h"
#include "topologies/topology.h"

namespace gradwire::testbed {

/// Finds out which ports hear each other over the switches of an emulated wiring, by frames and
/// without settings. Every port of every host broadcasts who it is, and then sends a frame as long
/// as the MTU to the next port of its switch that hears it (calibration_flows). For when something
/// between the hosts is wrong: traffic that waits in their ports delays the frames.
///
/// Returns once everybody has heard all whom it should, usually within milliseconds, else when
/// nothing new has come for `patience`; of full frames, for three times what the others took. Opens
/// a descriptor for each port of the hosts. Where switches route there are no neighbours, and the
/// result is empty. A port that is down has no part in it. Throws SystemError.
[[nodiscard]] std::vector<Hearing> listen_to_neighbours(const Emulation& emulation,
                                                        const topologies::Topology& topology,
                                                        std::size_t mtu, const Clock& clock,
                                                        Nanoseconds patience);

}  // namespace gradwire::testbed
