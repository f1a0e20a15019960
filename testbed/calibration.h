#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// What is sent to find out whether the links carry what they should. Pure: Plans, no I/O.
namespace gradwire::testbed {

/// One transfer between two hosts, from port to port.
struct Flow {
  Rank from;
  Port via;
  Rank to;
  Port at;
};

/// Flows that together load every host's cable in both directions, each direction once, without
/// meeting on any link. On bridges every host sends to the next host of each of its switches; on
/// routers, where next_port decides the way, to the same seat half the hosts away.
[[nodiscard]] std::vector<Flow> calibration_flows(const topologies::Topology& topology);

/// One Plan per rank that carries the flows: a lane per flow, of one step, with `elements` elements
/// each. The buffer must hold buffer_elements(flows, elements).
[[nodiscard]] std::vector<Plan> plans_of(std::span<const Flow> flows, std::size_t ranks,
                                         std::size_t elements);
/// The elements of a buffer in which every flow has its own `elements`.
[[nodiscard]] constexpr std::size_t buffer_elements(std::size_t flows, std::size_t elements) {
  return flows * elements;
}

}  // namespace gradwire::testbed
