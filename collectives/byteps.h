#pragma once

#include <cstddef>
#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// Parameter servers on every rank, some of which do nothing else (BytePS: Jiang, Zhu, Lan, Yi,
/// Cui, Guo, "A Unified Architecture for Accelerating Distributed DNN Training in Heterogeneous
/// GPU/CPU Clusters", OSDI 2020, section 4).
///
///     k servers      S0    S1            every worker pushes to every server the gradients that it
///                    │╲ ╲╱ ╱│            owns, and pulls their sums
///                    │ ╲╱╲╱ │
///                    │ ╱╲╱╲ │            a server owns M_S of the M elements, a worker M_W:
///     n workers   ┌> W0 -> W1 -> W2 ┐    k M_S + n M_W = M
///                 └─────────────────┘
///
/// In either direction a server's port carries n M_S. A worker's port carries M - M_W for its own
/// pushes, or pulls, and (n-1) M_W for those of the other workers. They are equal when
///
///     M_S = 2(n-1) M / D      M_W = (n-k) M / D      with D = n^2 + kn - 2k
///
/// and every port carries L = 2n(n-1)/D M: no division has a busiest port that carries less (the
/// paper's Theorem 1, for equal NICs and k <= n). With k = 0 these are the bytes of an all-reduce,
/// 2(n-1)/n M; with k = n workers own nothing, and every port carries M.
///
/// The paper's time is L over the rate of a port: pushes and pulls have to pass each other, and no
/// port may stand still. So
///   - a server's share travels as S extents: while one is pushed the one before is pulled. A
///     worker's share travels as extents of about the same size, so that they are passed on early;
///   - workers' shares go round a ring of them, once to sum and once to share the sums: a share
///     leaves n-1 ports and enters n-1 either way, but a port has one flow of these at a time. If a
///     worker pushed to all others at once, each flow would get the same part of its port, and those
///     to the servers too little. In turn, as in collectives/direct.h, all would wait for the slowest
///     after every step: measured, 6 to 16 % were lost.
/// The n flows of a server then keep its port busy, with 1/n each, and leave (n-k)/n of a worker's
/// port to the ring, which takes L with that.
///
///     GST = (1 + 1/S) L/M T_F for k > 0,    L/M T_F for k = 0,    when start-up costs nothing
///
/// The paper's system cuts tensors into parts of 4 MB and draws their servers by a hash with these
/// weights. Here shares are exact to an element and lie in the order of the ranks.
namespace gradwire::collectives::byteps {

struct Options {
  /// The number k of servers: ranks 0..k-1 only serve. At most as many as there are workers.
  std::size_t servers = 0;
  /// The number S of extents as which a server's share travels; 0 means default_pieces. A worker's
  /// share travels as pieces_of_worker extents. A share of fewer elements travels as one extent for
  /// each.
  std::size_t pieces = 0;
};

/// The default for S: as many extents of kLeastPiece bytes as a server's share has, kMostPieces at
/// most and 1 at least.
[[nodiscard]] std::size_t default_pieces(std::size_t ranks, std::size_t elements,
                                         std::size_t servers);
inline constexpr std::size_t kLeastPiece = 65536;
inline constexpr std::size_t kMostPieces = 32;

/// The number of extents of a worker's share: S M_W / M_S, rounded down, and 1 at least.
[[nodiscard]] std::size_t pieces_of_worker(std::size_t ranks, const Options& options);

/// The share of each rank, by rank and side by side from element 0: M_S or M_W rounded down, and of
/// the remainder one element each for the first ranks. So no share is off by more than an element.
/// A single worker owns everything. Throws InputError for more servers than workers.
[[nodiscard]] std::vector<Extent> shares(std::size_t ranks, std::size_t elements,
                                         std::size_t servers);

/// The Plan of rank `rank`: one lane of 2(n-1) steps. Servers are pushed to in the first and pulled
/// from in the second; the steps of all are those of the ring. Peers lie along the wiring's routes,
/// the ring in the order that the wiring suggests (Topology::ring_place). Throws like shares().
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
                        const Options& options = {});

/// The goal of the Plans: an all-reduce to which servers contribute nothing and of which they need
/// no result. Throws like shares().
[[nodiscard]] Goal goal(std::size_t ranks, std::size_t elements, std::size_t servers);

/// The load L / M of every port in either direction, in gradients: the paper's time in units of
/// T_F. Throws like shares().
[[nodiscard]] double load(std::size_t ranks, std::size_t servers);

/// GST in units of T_F with one non-blocking NIC per host when start-up costs nothing and the
/// elements divide. Requires pieces > 0. Throws like shares().
[[nodiscard]] double closed_form(std::size_t ranks, const Options& options);

}  // namespace gradwire::collectives::byteps
