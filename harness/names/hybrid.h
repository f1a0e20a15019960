#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/plan.h"
#include "core/text/spec.h"
#include "harness/names/algorithms.h"
#include "topologies/topology.h"

/// What algorithms do with a workload hybrid(...) (workloads/hybrid.h): they sum the replicated gradients,
/// after the stack's host has had everybody's inputs and returned their errors (collectives/hybrid.h). All
/// take an amount with a stack, and throw InputError, without a place, for an algorithm that is no
/// all-reduce, or a library, which has no Plans, and for a host that the wiring does not have.
namespace gradwire::names {

/// What a point's records call the collective of hybrid parallelism.
inline constexpr std::string_view kHybrid = "hybrid";

/// Throws InputError, without a place, where an amount's stack, if it has one, is on a host that so many
/// ranks do not have.
void check_stack(const Amount& amount, std::size_t ranks);

/// What inputs, errors and gradients reach together, and what the busiest NIC carries of the gradients'
/// elements. Throws as achieved_by.
[[nodiscard]] Achieved hybrid_achieves(const text::Spec& algorithm,
                                       const topologies::Topology& topology, const Amount& amount);
/// Rank `rank`'s Plan of all three. Throws as make_plan.
[[nodiscard]] Plan hybrid_plan(const text::Spec& algorithm, const topologies::Topology& topology,
                               Rank rank, const Amount& amount);
/// One for each stage (collectives/hybrid.h), as in_stages takes them: for ranks that compute between.
/// Throws as make_plan.
[[nodiscard]] std::vector<Plan> hybrid_stages(const text::Spec& algorithm,
                                              const topologies::Topology& topology, Rank rank,
                                              const Amount& amount);
/// Who has samples, ascending. Throws as goal_of.
[[nodiscard]] std::vector<Rank> hybrid_workers(const text::Spec& algorithm,
                                               const topologies::Topology& topology,
                                               const Amount& amount);

}  // namespace gradwire::names
