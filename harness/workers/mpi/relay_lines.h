#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/id.h"

/// Form of the lines between the harness and rank 0's relay.
///
/// A line to a worker is its rank, a space, and the message. A line from a worker is the same after
/// kMark, which tells it from what launchers print; in place of the message there is kEnded once the
/// worker has answered for the last time. The line kStop, or the end of the lines, stops all.
namespace gradwire::workers::relay_lines {

inline constexpr char kMark = '@';
inline constexpr const char* kReady = "@ready";  ///< rank 0's first line: all have come
inline constexpr const char* kEnded = "ended";
inline constexpr const char* kStop = "stop";

/// A message, and the rank that it is to or from.
struct RankText {
  Rank rank;
  std::string text;

  friend bool operator==(const RankText&, const RankText&) = default;
};

/// The line to a worker, without a newline.
[[nodiscard]] std::string order(Rank to, std::string_view text);
/// Reads it. Throws InternalError for what order() did not make, and for a rank that is none of
/// `ranks`.
[[nodiscard]] RankText parse_order(std::string_view line, std::size_t ranks);

/// The line from a worker, without a newline.
[[nodiscard]] std::string answer(Rank from, std::string_view text);
/// Reads it. Throws InternalError for what answer() did not make, and for a rank that is none of
/// `ranks`.
[[nodiscard]] RankText parse_answer(std::string_view line, std::size_t ranks);

}  // namespace gradwire::workers::relay_lines
