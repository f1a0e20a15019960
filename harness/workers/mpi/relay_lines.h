#pragma once

/// What the lines between the harness and rank 0's relay look like.
///
/// A line to a worker is its rank, a space, and the message. A line from a worker is the same after
/// kMark, which tells it from what launchers print; in place of the message there is kEnded once the
/// worker has answered for the last time. The line kStop, or the end of the lines, stops all.
namespace gradwire::workers::relay_lines {

inline constexpr char kMark = '@';
inline constexpr const char* kReady = "@ready";  ///< rank 0's first line: all have come
inline constexpr const char* kEnded = "ended";
inline constexpr const char* kStop = "stop";

}  // namespace gradwire::workers::relay_lines
