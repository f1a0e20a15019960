#pragma once

#include <cstddef>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/digits.h"
#include "topologies/topology.h"

/// BML on BCube(n,k) (Wang et al., "BML: A High-performance, Low-cost Gradient Synchronization
/// Algorithm for DML Training", NeurIPS 2018, Algorithm 1).
///
///     BCube(3,2)        level-1 switches
///                    [0]      [1]      [2]        host v1,v0 has two ports: port 0 to level-0
///     0,0 0,1 0,2  1,0 1,1 1,2  2,0 2,1 2,2       switch v1, port 1 to level-1 switch v0
///      └───┼───┘    └───┼───┘    └───┼───┘
///         [0]          [1]          [2]           level-0 switches
///
/// The gradient is cut into kN pieces <e, q>: synchronization thread e (our lane e) aggregates
/// piece <e, q> on rank q. Thread t of rank a works through the levels t, t+1, ..., t+k-1 (mod k),
/// so that in every step the k threads of a rank use its k different ports:
///
///     stage      step w   level              to each of the n-1 neighbours s   elements arriving
///     aggregate  0..k-1   (t + w) mod k      pieces of s's group: N/n^(w+1)    are added
///     broadcast  0..k-1   (t + k-1-w) mod k  its own group:       n^w          are put in place
///
/// The group of a rank in step w is the pieces whose owner agrees with it in the digits t, ...,
/// t+w. Step w takes N/n^(w+1) (n-1) T_C with T_C = T_F/(kN); both stages take (N-1) T_C:
///
///     GST = 2(N-1)/(kN) T_F + 2k alpha
///
/// Layout: piece <t, q> lies in slot t*N + (q's digits in the order t, t+1, ..., most significant
/// first), which makes every group one extent.
namespace gradwire::bml {

/// The piece that thread `thread` of rank `owner` aggregates, the paper's <e, v_{k-1}...v_0>.
struct Piece {
  std::size_t thread = 0;
  Rank owner;
};

/// The extent of a piece among `elements` elements, given the ranks' digits. Empty for some pieces
/// when there are fewer than kN elements.
[[nodiscard]] Extent extent_of(const topologies::Digits& digits, std::size_t elements,
                               const Piece& piece);

/// The Plan of rank `rank`: k lanes of 2k steps. In lane t, steps 0..k-1 aggregate, k..2k-1
/// broadcast. Throws InputError unless the wiring is a BCube.
[[nodiscard]] Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements);

/// Whether all ranks' Plans are certain to be rank 0's, translated. False leaves it open.
///
/// True on a BCube(n,k) whose translation adds to its k digits to the base n, with `elements` = N
/// m. Of the kN pieces the first N (m mod k) are then one element larger, which are all pieces of
/// the first m mod k threads. So the pieces of a thread are of one size s on every rank, and its
/// groups of step w have s n^(k-1-w) elements; the peers of a step are those whose digit of its
/// level is 1 to n-1 more (mod n), through its port; and in order nothing waits for where a group
/// lies.
[[nodiscard]] bool ranks_are_alike(const topologies::Topology& wiring, std::size_t elements);

/// The parts whose sums the ranks hold after the aggregation: rank i has parts[i], its piece of
/// every thread. Aggregation is a reduce-scatter of them, broadcast an all-gather (first_half,
/// second_half in core/plan.h), each of k steps and (N-1)/(kN) T_F. Throws like plan().
[[nodiscard]] Parts parts(const topologies::Topology& wiring, std::size_t elements);

/// GST in units of T_F, 2(N-1)/(kN), when start-up costs nothing.
[[nodiscard]] double closed_form(std::size_t n, std::size_t k);

}  // namespace gradwire::bml
