#pragma once

#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "core/text/spec.h"
#include "topologies/topology.h"
#include "workloads/workload.h"

/// Algorithms by their names.
namespace gradwire::algorithms::testing {

/// The algorithm of that name on a wiring, which must outlive it, for the workload of that name.
[[nodiscard]] inline Algorithm named(std::string_view name, const topologies::Topology& topology,
                                     std::string_view workload = "") {
  return parse_algorithm(text::parse_spec(name), topology, workloads::parse_workload(workload));
}

}  // namespace gradwire::algorithms::testing
