#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace gradwire {

/// Ranks in words, with consecutive ranks as one run: "0-3, 7". Ranks ascend. After `most_runs`
/// runs the remaining ranks are only counted: "0-3, 7 and 12 more". Empty for none. Requires
/// most_runs > 0.
[[nodiscard]] std::string rank_text(
    std::span<const std::size_t> ranks,
    std::size_t most_runs = std::numeric_limits<std::size_t>::max());

}  // namespace gradwire
