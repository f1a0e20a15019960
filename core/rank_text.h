#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace gradwire {

/// "0-3, 7": ranks for people to read, those that follow each other as one run. Ranks ascend. After
/// `most_runs` runs the ranks that are left are only counted: "0-3, 7 and 12 more". Empty for none.
/// Requires most_runs > 0.
[[nodiscard]] std::string rank_text(
    std::span<const std::size_t> ranks,
    std::size_t most_runs = std::numeric_limits<std::size_t>::max());

}  // namespace gradwire
