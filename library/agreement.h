#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithms/algorithm.h"
#include "core/id.h"

/// Checks that all ranks agree before a job goes on.
namespace gradwire::library {

/// Checks that the algorithm sums the elements of every rank of the wiring. `self` is a rank of it.
/// Throws InputError if not.
void require_all_reduce(const algorithms::Algorithm& algorithm, Rank self);

/// Checks that all ranks say the same, given by rank. Throws FabricError if not, which names the
/// first rank that deviates from the majority. `verb` connects a rank and what it says: "it calls
/// this, and rank 0 calls that".
void require_same(const std::vector<std::string>& all, Rank self, std::string_view verb);

}  // namespace gradwire::library
