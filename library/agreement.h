#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithms/algorithm.h"
#include "core/id.h"

/// What has to be so before a job goes on.
namespace gradwire::library {

/// Throws InputError where the algorithm does not sum what every rank of the wiring has. `self` is a
/// rank of it.
void require_all_reduce(const algorithms::Algorithm& algorithm, Rank self);

/// Throws FabricError unless all ranks say the same, by rank: it names the first that does not say what
/// most say. `verb` is what stands between a rank and what it says: "it calls this, and rank 0 calls
/// that".
void require_same(const std::vector<std::string>& all, Rank self, std::string_view verb);

}  // namespace gradwire::library
