#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gradwire::text {

/// The candidate that a mistyped word most likely means: the one with the fewest edits (insertion,
/// deletion, replacement, swap of neighbours), if a third of the word's letters or fewer differ.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

/// The beginning of a message about an unknown name: "unknown schedule 'wfpb' (did you mean
/// 'wfbp'?)". It asks the question only if one of `known` is near.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       std::span<const std::string> known);

}  // namespace gradwire::text
