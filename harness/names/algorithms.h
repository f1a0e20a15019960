#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/units.h"
#include "text/spec.h"
#include "topologies/topology.h"

/// The algorithms by the names that experiments use. A new one is added here and nowhere else.
///
///     ring                    ringallreduce/; ring(pieces=4) cuts each chunk
///     ps                      ps/, every rank also a server, balanced placement
///     ps(per-tensor)          whole tensors on one server; needs a workload
///     ps(servers=2, dedicated)
///     bml                     bml/, on a BCube
///     halving-doubling        collectives/, like all below
///     double-tree             two binary trees; double-tree(pieces=32) cuts halves finer than 8
///     striped-rings           a ring per NIC
///     hierarchical            groups as the wiring has them; hierarchical(groups=4): groups of 4
///     staged-bcube            bml one level after the other, on a BCube
///
/// Libraries that are measured beside them, gloo(...) and mpi(...), have names but no Plans:
/// harness/names/peer_algorithms.h.
namespace gradwire::names {

/// What is synchronized.
struct Amount {
  std::size_t elements = 0;
  std::vector<Extent> tensors = {};  ///< empty when the experiment names no workload
  std::size_t tensors_before = 0;    ///< of a bucket: how many tensors earlier buckets hold
};

/// Rank `rank`'s Plan. Throws InputError, without a place, for an unknown algorithm or option, one
/// that does not fit the wiring, and a library, whose schedule is its own.
[[nodiscard]] Plan make_plan(const text::Spec& algorithm, const topologies::Topology& topology,
                             Rank rank, const Amount& amount);

/// What the algorithm achieves with `ranks` ranks, without making a Plan: who contributes to the sum
/// and who needs it. Libraries are asked like algorithms: all ranks contribute. Throws InputError,
/// without a place, as make_plan.
[[nodiscard]] Goal goal_of(const text::Spec& algorithm, std::size_t ranks, const Amount& amount);

/// Whether it places whole tensors, so that a size alone says nothing about what a bucket costs.
[[nodiscard]] bool is_per_tensor(const text::Spec& algorithm);

/// Wirings of more hosts have their Plans taken on trust in the same algorithm on smaller ones: the
/// checker's time grows with their square.
inline constexpr std::size_t kMostProven = 256;

/// All ranks' Plans, proven by the symbolic checker. Throws as make_plan, and InternalError with
/// the first finding when the Plans do not synchronize.
[[nodiscard]] std::vector<Plan> make_checked_plans(const text::Spec& algorithm,
                                                   const topologies::Topology& topology,
                                                   const Amount& amount);

/// The algorithm's closed form: what the most loaded link carries in its steps, one after the
/// other, where a link of speed 1 carries `payload` of gradient.
[[nodiscard]] Seconds bound_of(const topologies::Topology& topology, std::span<const Plan> plans,
                               BitRate payload);

/// The names, for help and errors; without the libraries.
[[nodiscard]] std::vector<std::string> algorithm_names();

}  // namespace gradwire::names
