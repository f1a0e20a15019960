#pragma once

#include <cstddef>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// The transfers of an iteration of hybrid parallelism (Late-multiply, 2017, section 2.2). The
/// stack of fully connected layers is on one host, all other layers are on every worker:
///
///     stage 0, inputs      workers ──> host     what the replicated layers make of M samples each
///     stage 1, errors      host ──> workers     the gradients of these, each to whom they came from
///     stage 2, gradients   workers, any way     an all-reduce of the replicated layers' gradients
///
/// Elements of the replicated gradients stand first, then the inputs by worker, then the errors.
/// With n workers, W elements of replicated gradients and A inputs of a worker, a host that does
/// not work itself, and gradients that go through one dedicated server, ports send
///
///     2 n W + 2 n A
///
/// elements together, and receive as many: each is sent once and received once. With the host among
/// the workers, and a ring, these are 2 (n-1) W + 2 (n-1) A.
namespace gradwire::collectives::hybrid {

/// The stack's place in the network.
struct Stack {
  Rank host;
  std::size_t inputs = 0;  ///< A: elements that a worker sends, and gets back
};

/// Throws InputError if the host is none of so many ranks.
void require_host(const Stack& stack, std::size_t ranks);

/// The goal of all stages together. `summed` is the goal of stage 2: its contributors are the
/// workers. Throws like require_host().
[[nodiscard]] Goal goal(const Goal& summed, const Stack& stack);

/// The Plans of a rank for the three stages, in the form for in_stages. `gradients` is that of
/// stage 2. Inputs and errors travel on as many lanes, a share on each, along the wiring's routes.
/// Requires that all ranks' Plans have as many lanes.
[[nodiscard]] std::vector<Plan> stages(const topologies::Topology& topology, Rank rank,
                                       Plan gradients, const Goal& summed, const Stack& stack);

/// The Plan of a rank for all stages one after the other, with nothing computed between. Steps of a
/// lane do not overlap, whatever those of `gradients` did: the host has all inputs on a lane before
/// it sends errors on it, and a worker its errors before it sends gradients. Requires the same as
/// stages().
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, Plan gradients,
                        const Goal& summed, const Stack& stack);

/// A lower bound on the elements that the busiest NIC receives, for hosts with one NIC. The host of
/// the stack receives all others' inputs, a worker its errors, and whoever works the sums once. If
/// all ranks work, it is at least the mean of their loads: with n workers, 2 (n-1) W of the
/// gradients together.
[[nodiscard]] double busiest_port(const Goal& summed, const Stack& stack);

}  // namespace gradwire::collectives::hybrid
