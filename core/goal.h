#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/id.h"

namespace gradwire {

/// What a collective is for: who begins with which elements, and who must end with them.
///
/// All ranks name the same elements [0, elements). The value of an element is the sum of what the
/// ranks that begin with it hold there. A rank that begins with an element contributes to it; a
/// rank that ends with it must hold the whole sum.
struct Goal {
  std::size_t elements = 0;
  std::vector<std::vector<Extent>> begins;  ///< by rank; ascending, apart from each other
  std::vector<std::vector<Extent>> ends;    ///< by rank; ascending, apart from each other
};

/// Every rank begins with all elements and ends with all their sums, but for `servers`: ranks that
/// only serve parameters begin and end with nothing. Requires that every server is a rank.
[[nodiscard]] Goal all_reduce(std::size_t ranks, std::size_t elements,
                              std::span<const Rank> servers = {});

/// The ranks that begin with something, ascending.
[[nodiscard]] std::vector<Rank> contributors(const Goal& goal);

/// The ranks that begin and end with nothing: they only serve. Ascending.
[[nodiscard]] std::vector<Rank> servers(const Goal& goal);

}  // namespace gradwire
