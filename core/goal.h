#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/id.h"

namespace gradwire {

/// The purpose of a collective: which elements each rank begins with, and which it must end with.
///
/// All ranks name the same elements [0, elements). The value of an element is the sum of the values
/// held by the ranks that begin with it. A rank that begins with an element contributes to it; a
/// rank that ends with it must hold the whole sum.
///
///     goal             begins with                     ends with
///     all-reduce       all: every rank                 all: every rank
///     reduce-scatter   all: every rank                 part i: rank i
///     all-gather       part i: rank i                  all: every rank
///     broadcast        all: the root                   all: every rank
///     reduce           all: every rank                 all: the root
///     all-to-all       the blocks (i, j): rank i       block (i, j): rank j
///     send             all: rank 0                     all: rank 1
///
/// A rank may also pass on elements that it neither begins nor ends with: it has a place for every
/// element.
struct Goal {
  std::size_t elements = 0;
  std::vector<std::vector<Extent>> begins;  ///< by rank; ascending, apart from each other
  std::vector<std::vector<Extent>> ends;    ///< by rank; ascending, apart from each other
};

/// The elements of each rank, by rank: each rank's extents are ascending, and all lie apart.
using Parts = std::vector<std::vector<Extent>>;

/// Parts of these sizes, one extent each, in the order of the ranks and side by side from element 0.
[[nodiscard]] Parts parts_of(std::span<const std::size_t> sizes);
/// The parts into which part() cuts [0, elements), one for each rank.
[[nodiscard]] Parts equal_parts(std::size_t ranks, std::size_t elements);

/// Every rank begins with all elements and ends with all their sums, except `servers`: ranks that
/// only serve parameters begin and end with nothing. Requires that every server is a rank.
[[nodiscard]] Goal all_reduce(std::size_t ranks, std::size_t elements,
                              std::span<const Rank> servers = {});
/// Every rank begins with the elements of all parts, and rank i ends with the sums of parts[i].
[[nodiscard]] Goal reduce_scatter(Parts parts);
/// Rank i begins with parts[i], and every rank ends with the elements of all parts.
[[nodiscard]] Goal all_gather(Parts parts);
/// The root begins with all elements, and every rank ends with them. Requires root < ranks.
[[nodiscard]] Goal broadcast(std::size_t ranks, std::size_t elements, Rank root);
/// Every rank begins with all elements, and the root ends with their sums. Requires root < ranks.
[[nodiscard]] Goal reduce(std::size_t ranks, std::size_t elements, Rank root);
/// An all-to-all in which counts[i * ranks + j] elements go from rank i to rank j. The blocks lie
/// in this order, so that a rank sends one extent. A rank ends with its block to itself unchanged.
/// Requires ranks^2 counts.
[[nodiscard]] Goal all_to_all(std::size_t ranks, std::span<const std::size_t> counts);
/// An all-to-all with blocks as equal as possible: part() cuts [0, elements) into one extent for
/// each sender, and that into one block for each receiver.
[[nodiscard]] Goal all_to_all(std::size_t ranks, std::size_t elements);
/// Rank 0 begins with all elements, and rank 1 ends with them.
[[nodiscard]] Goal send(std::size_t elements);

/// Ranks that act together: each is listed once, and its position is its number in the group.
using Group = std::vector<Rank>;

/// The goal of a group in a job of `ranks` ranks: the goal's rank i is group[i]. All other ranks
/// begin and end with nothing. Requires that the group has as many ranks as the goal, each once and
/// below `ranks`.
[[nodiscard]] Goal for_group(const Goal& goal, const Group& group, std::size_t ranks);

/// Several goals of the same ranks at once, such as those of groups. Each goal's elements follow
/// those of the goal before it, so its Plan is moved up (`shifted`) by the elements of all goals
/// before it. Requires that all have as many ranks.
[[nodiscard]] Goal beside(std::span<const Goal> goals);

/// Whether several ranks begin with the same element, so that somebody has to add.
[[nodiscard]] bool has_sums(const Goal& goal);

/// The bounds between which the goal treats all elements alike: 0, its `elements`, and the begin
/// and end of each extent. Ascending, each once.
[[nodiscard]] std::vector<std::size_t> bounds_of(const Goal& goal);

/// The ranks that begin with something, ascending.
[[nodiscard]] std::vector<Rank> contributors(const Goal& goal);

/// The ranks that begin and end with nothing, because they only serve. Ascending.
[[nodiscard]] std::vector<Rank> servers(const Goal& goal);

}  // namespace gradwire
