#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/id.h"

/// Equal-cost multipath: a switch chooses among equally good uplinks by a hash of the flow, so that
/// the packets of a flow stay in order. Flows that collide share a cable while others idle.
namespace gradwire::topologies {

/// That switches choose uplinks by a hash, and with which seed.
struct Ecmp {
  std::uint64_t seed = 1;
};

/// What the switches see of a flow.
struct Flow {
  Rank from;
  Rank to;
  Port to_port;
};

/// Which of `choices` uplinks switch `at` takes for the flow. Pure integer arithmetic (rounds of
/// splitmix64): the same on every machine. Requires choices > 0.
[[nodiscard]] std::size_t ecmp_choice(const Ecmp& ecmp, NodeId at, const Flow& flow,
                                      std::size_t choices);

/// The end of a wiring's canonical name that says this: "", ",ecmp" or ",ecmp,seed=3".
[[nodiscard]] std::string ecmp_suffix(const std::optional<Ecmp>& ecmp);

}  // namespace gradwire::topologies
