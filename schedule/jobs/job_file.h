#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "schedule/jobs/job.h"

/// Job files of users (docs/jobs.md, results/schema/job.schema.json).
namespace gradwire::jobs {

/// The largest file; larger ones are refused unread.
inline constexpr std::size_t kMostJobFileBytes = std::size_t{8} << 20;
/// The most keys and values of a file, lists and maps among them: counted while it is read.
inline constexpr std::size_t kMostJobFileValues = 250'000;
/// The most nodes of all ranks together, and the most members of all groups.
inline constexpr std::size_t kMostNodes = 4'000'000;

/// Reads a job and checks it: the returned job can run, and comes to its end. Throws InputError
/// with file, line and column for a violation of the schema, for names that are unknown or given
/// twice, for ranks without a program or with two, for a job beyond the limits above, and for the
/// first finding of check(), at the node where it shows.
[[nodiscard]] Job parse_job(std::string_view text, const std::string& file);
/// Reads a job from a file. Throws like parse_job(), and InputError if the file cannot be read.
[[nodiscard]] Job load_job(const std::filesystem::path& path);

}  // namespace gradwire::jobs
