#pragma once

#include <cstddef>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// Ring all-reduce (Gibiansky, "Bringing HPC techniques to deep learning", Baidu Research 2017).
///
///          ┌──> 0 ──> 1 ──> 2 ──> 3 ──> 4 ──┐      each rank sends to its right neighbour only,
///          └────────────────────────────────┘      and receives from its left neighbour only
///
/// The gradient is cut into N chunks. Rank i sends and receives, in step s of N-1 (mod N):
///
///     stage           sends chunk      receives chunk    which it
///     scatter-reduce  i - s            i - s - 1         adds
///     all-gather      i - s + 1        i - s             puts in place
///
/// After scatter-reduce rank i holds the sum of chunk i + 1; all-gather passes the sums round.
/// Cost: every rank sends and receives 2(N-1)/N of the gradient, in 2(N-1) steps:
///
///     GST = 2(N-1) (alpha + T_F/N),    with alpha the start-up time of a step.
namespace gradwire::ringallreduce {

struct Options {
  /// The ranks in ring order, each once; empty means natural_order.
  std::vector<Rank> order = {};
  /// The number of extents as which each chunk travels, so that a rank may pass on the first while
  /// the others are still arriving. 1 is the schedule above. At least 1; a chunk of fewer elements
  /// travels as one extent for each.
  std::size_t pieces = 1;
  /// Whether every element is summed from the ring's first rank to its last (fixed_order.h), so
  /// that its bits do not depend on the chunk that it lies in.
  bool fixed_order = false;
};

/// The first ring that the wiring suggests (Topology::ring_place): neighbours share a switch where
/// it allows that. On a BCube it is the n-ary Gray code (neighbours differ in one digit), elsewhere
/// 0..N-1 (neighbours in a Fat-Tree's pod stay together).
[[nodiscard]] std::vector<Rank> natural_order(const topologies::Topology& topology);

/// The place of a rank in a ring, and its neighbours there.
struct Position {
  std::size_t index = 0;
  Peer left;   ///< peer that the rank receives from
  Peer right;  ///< peer that the rank sends to
};

/// The lane in which the rank at `position` of a ring of N = `ranks` ranks, two at least, sums
/// `what` with the others, in 2(N-1) steps. Each chunk travels as `pieces` extents.
[[nodiscard]] Lane lane(const Position& position, std::size_t ranks, const Extent& what,
                        std::size_t pieces = 1);

/// The Plan of rank `rank`: one lane of 2(N-1) steps, or of those of fixed_order.h. Throws
/// InputError when `options.order` is not a permutation of all ranks, or pieces is 0.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
                        const Options& options = {});

/// Whether ring `ring` that the wiring suggests looks the same from every rank: the wiring's
/// translation is a rotation of all N ranks (Topology::translation with N as its only radix), rank
/// i is at place i, to the left of rank i + 1 (mod N), and the ring arrives at the same number of
/// port everywhere. Asks the wiring about every rank. Requires ring < ports_per_host().
[[nodiscard]] bool is_rotation(const topologies::Topology& topology, std::size_t ring);

/// Whether all ranks' Plans are certain to be rank 0's, translated. False leaves it open.
///
/// True when the order is the wiring's own, is_rotation(ring 0), no order of sums is fixed, and
/// `elements` = N m. Then every chunk has m elements and is cut into pieces alike. Rank i's peers
/// are i - 1 and i + 1, and its chunks in step s are rank 0's, moved by i round the ring; chunks of
/// one size that do not overlap wait for each other in the same way wherever they lie.
[[nodiscard]] bool ranks_are_alike(const topologies::Topology& topology, std::size_t elements,
                                   const Options& options = {});

/// GST in units of T_F, 2(N-1)/N, when start-up costs nothing and no two neighbours share a link.
[[nodiscard]] double closed_form(std::size_t ranks);

}  // namespace gradwire::ringallreduce
