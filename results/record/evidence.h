#pragma once

#include <cstdint>
#include <filesystem>

/// What a published run folder keeps.
namespace gradwire::record {

/// Copies a run folder to `to`, a new folder, without what can be made again from the rest:
/// results.json, which is made from points and samples, the timelines of simulated points, which a
/// simulation gives again, and files that are not a run's. Everything else is kept to the byte, but
/// timelines have the newest form of their lines, and of their ranks the first ones, see
/// kMostSpansOfEvidence. `to` appears whole or not at all. Throws
/// InputError when `from` is no run folder, is being written, or has lines or files that cannot be
/// read, and when `to` exists; SystemError.
void copy_evidence(const std::filesystem::path& from, const std::filesystem::path& to);

/// The bytes of all files in a folder. Throws SystemError when it cannot be read.
[[nodiscard]] std::uintmax_t bytes_in(const std::filesystem::path& folder);

}  // namespace gradwire::record
