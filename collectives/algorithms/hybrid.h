#pragma once

#include <memory>
#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "topologies/topology.h"
#include "workloads/hybrid.h"

/// Algorithms for a workload hybrid(...) (workloads/hybrid.h): they sum the replicated
/// gradients, after the stack's host has had everybody's inputs and returned their errors
/// (collectives/hybrid.h).
namespace gradwire::algorithms {

/// The collective of hybrid parallelism, as a point's records call it.
inline constexpr std::string_view kHybrid = "hybrid";

/// Throws InputError, without a place, where the wiring does not have the host of the stack.
void require_host(const workloads::Hybrid& hybrid, const topologies::Topology& topology);

/// The algorithm `summing` for the gradients, between stages for inputs and errors. Throws
/// InputError, without a place, for an algorithm that is no all-reduce, and for a library, which has
/// no Plans; and as require_host.
[[nodiscard]] std::shared_ptr<const Method> make_for_hybrid(const Algorithm& summing,
                                                            const workloads::Hybrid& hybrid);

}  // namespace gradwire::algorithms
