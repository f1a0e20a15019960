#pragma once

#include <cstdint>
#include <filesystem>

/// Published copies of run folders.
namespace gradwire::record {

/// Copies a run folder to `to`, a new folder, without data that can be made again from the rest:
/// results.json, which is made from points and samples; the timelines of simulated points, which a
/// simulation gives again; and files that are not a run's. Everything else is kept to the byte,
/// except that timelines have the newest form of their lines and only the first ranks, see
/// kMostSpansOfEvidence. `to` appears whole or not at all. Throws InputError when `from` is no run
/// folder, is being written, or has lines or files that cannot be read, and when `to` exists;
/// SystemError.
void copy_evidence(const std::filesystem::path& from, const std::filesystem::path& to);

/// Total size of the files in a folder, in bytes. Throws SystemError when it cannot be read.
[[nodiscard]] std::uintmax_t bytes_in(const std::filesystem::path& folder);

}  // namespace gradwire::record
