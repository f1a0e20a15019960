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

/// The elements that the Plan itself sends and receives on each local port, without those that a
/// host relays for others. Indexed by port, up to the highest port that the Plan uses.
[[nodiscard]] std::vector<PortCount> count_ports(const Plan& plan);

/// The elements that step `step` of all lanes together sends and receives on each local port. Lanes
/// without that step add nothing.
[[nodiscard]] std::vector<PortCount> count_ports(const Plan& plan, std::size_t step);

/// The number of steps of the longest lane.
[[nodiscard]] std::size_t step_count(const Plan& plan);

/// The number of sends in all lanes.
[[nodiscard]] std::uint64_t send_count(const Plan& plan);

}  // namespace gradwire
