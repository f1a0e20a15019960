#pragma once

#include <optional>
#include <span>

#include "core/error.h"
#include "harness/workers/culprit.h"
#include "topologies/topology.h"

/// Judges what several ranks' words about their links say together.
namespace gradwire::workers {

/// The switch that has failed, when the ports that ranks report as down are all those that lead to
/// one switch, and of more than one rank. Nothing otherwise.
[[nodiscard]] std::optional<FabricError> find_failed_switch(std::span<const RankEnd> ends,
                                                            const topologies::Topology& wiring);

/// The rank that hears nobody, or that nobody hears: the one at an end of every path on which
/// nothing is acknowledged. When there is only one such path, the failure names both its ends.
/// Nothing when no rank says that it is not answered.
[[nodiscard]] std::optional<FabricError> find_unheard(std::span<const RankEnd> ends);

}  // namespace gradwire::workers
