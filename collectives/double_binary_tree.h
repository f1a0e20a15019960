#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// Double binary tree (Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast,
/// reduction and scan", Parallel Computing 2009; the trees are those of NCCL 2.4).
///
///     tree 0   0                         tree 1                   7      N = 8: the inner ranks of
///              └────── 4                            3 ────────────┘      tree 0 are even, those of
///                ┌─────┴────┐                 ┌─────┴────┐               tree 1 odd
///                2          6                 1          5
///              ┌─┴─┐      ┌─┴─┐             ┌─┴─┐      ┌─┴─┐
///              1   3      5   7             0   2      4   6
///
/// Each tree sums one half of the gradient up to its root and sends it down again, in P pieces, so
/// that its levels work on different pieces. With D the depth of the lowest leaf, floor(log2(N-1))
/// + 1, a rank at depth d handles piece j of each tree in the steps
///
///     stage      steps in all    receives from         which it         sends to
///     reduce     P + D - 1       children, D-d-1 + j   adds             parent, D-d + j
///     broadcast  P + D - 1       parent, d-1 + j       puts in place    children, d + j
///
/// Tree 1 is tree 0 with its ranks mirrored (N even) or moved up by one (N odd), so that a rank
/// that is inner in one tree is a leaf in the other. With N odd, (N+1)/2 places are inner, and rank
/// 0 is inner in both trees, with one child in each. In a step a rank sends two pieces and receives
/// two at most: every rank sends and receives 2 S at most.
///
///     GST = 2 (P + D - 1) alpha + (2 + (2D - 3)/P) T_F      for N > 3, 2 T_F as P grows
///
/// TPDS Table II prints 1 T_F; but a rank that passes on both halves moves 2 S (see
/// schedule/collective_cost.h).
///
/// Both trees are in one lane, whose steps overlap as far as extents allow. That makes a pipeline:
/// a piece waits only for its turn on a connection, and the first goes down while the last goes up.
/// The steps are aligned by depth to count the load of a link at a time; an execution that overlaps
/// them may take less than all of them one after the other, though no less than 2 T_F.
namespace gradwire::collectives::double_binary_tree {

struct Options {
  /// The number P of extents as which each half travels. At least 1; a half of fewer elements
  /// travels as one extent for each, and P is their number.
  std::size_t pieces = 8;
};

/// The default number of pieces: as many of kLeastPiece bytes as half the gradient has, 8 at most
/// and 1 at least; so all 8 from 128 KiB on, and one below 32 KiB. More pieces would not pay for
/// themselves: a host spends some time on every piece, whatever its size, that no closed form
/// knows. Nine ranks on one machine need 0.8 ms for 16 KiB in 8 pieces and 0.3 ms in one.
[[nodiscard]] std::size_t default_pieces(std::size_t elements);
inline constexpr std::size_t kLeastPiece = 8192;

/// The parent and children of a rank in one tree.
struct Family {
  std::optional<Rank> parent;  ///< none at the root
  std::vector<Rank> children;  ///< at most two
  std::size_t depth = 0;       ///< 0 at the root
};

/// The family of rank `rank` in tree `tree` (0 or 1) of `ranks` ranks.
[[nodiscard]] Family family(std::size_t ranks, std::size_t tree, Rank rank);

/// The Plan of rank `rank`: one lane of 2(P + D - 1) steps. Peers lie along the wiring's routes.
/// Throws InputError when pieces is 0.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
                        const Options& options = {});

/// GST in units of T_F when start-up costs nothing, no links are shared and no two steps overlap:
/// 2 + (2D - 3)/P. With three ranks 2, with two 1; with N = 2^m + 1 and a single piece 1 less,
/// because the child of each root then has one child only.
[[nodiscard]] double closed_form(std::size_t ranks, const Options& options = {});

}  // namespace gradwire::collectives::double_binary_tree
