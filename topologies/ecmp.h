#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/id.h"

/// Equal-cost multipath: a switch chooses among equally good uplinks by a hash of the flow, so that
/// the packets of a flow stay in order. Flows that collide share a cable while others idle.
namespace gradwire::topologies {

/// The choice of uplinks by a hash, with its seed.
struct Ecmp {
  std::uint64_t seed = 1;
};

/// The fields of a flow that switches hash.
struct Flow {
  Rank from;
  Rank to;
  Port to_port;
};

/// The number of the uplink, among `choices`, that switch `at` takes for the flow. Pure integer
/// arithmetic (rounds of splitmix64): the same on every machine. Requires choices > 0.
[[nodiscard]] std::size_t ecmp_choice(const Ecmp& ecmp, NodeId at, const Flow& flow,
                                      std::size_t choices);

/// The end of a wiring's canonical name for ECMP: "", ",ecmp" or ",ecmp,seed=3".
[[nodiscard]] std::string ecmp_suffix(const std::optional<Ecmp>& ecmp);

}  // namespace gradwire::topologies
