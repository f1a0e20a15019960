#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/plan.h"

namespace gradwire {

/// Elements that pass one port of one rank.
struct PortCount {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  friend constexpr auto operator<=>(const PortCount&, const PortCount&) = default;
};

/// Elements per local port that the Plan itself sends and receives (what a host relays for others
/// is the topology's business). Indexed by port; as long as the highest port used, plus one.
[[nodiscard]] std::vector<PortCount> count_ports(const Plan& plan);

/// The same for step `step` of all lanes together; lanes without that step add nothing.
[[nodiscard]] std::vector<PortCount> count_ports(const Plan& plan, std::size_t step);

/// The number of steps of the longest lane.
[[nodiscard]] std::size_t step_count(const Plan& plan);

}  // namespace gradwire
