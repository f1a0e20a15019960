#pragma once

#include <optional>
#include <string_view>

#include "results/claims/evidence.h"

/// Whether times of synchronizations lie on a line, a + b M.
namespace gradwire::claims {

/// Shows the line through the times of an algorithm's rows, by their bytes, and holds every row
/// between the smallest and the largest against the line through these two, which is no published
/// number. A row off the line is seen there as much as it is off; R^2 hides it. `tolerance`: as Entry
/// has it. Requires rows by rising bytes, three at least.
void judge_line(Entry in, const Rows& rows, std::string_view algorithm,
                std::optional<double> tolerance = std::nullopt);

}  // namespace gradwire::claims
