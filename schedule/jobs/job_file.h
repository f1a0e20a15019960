#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "schedule/jobs/job.h"

/// Jobs that users bring as files (docs/jobs.md, results/schema/job.schema.json).
namespace gradwire::jobs {

/// Larger files are refused unread.
inline constexpr std::size_t kMostJobFileBytes = std::size_t{8} << 20;
/// Keys and values of a file, lists and maps among them: counted while it is read.
inline constexpr std::size_t kMostJobFileValues = 250'000;
/// Nodes of all ranks together, and members of all groups.
inline constexpr std::size_t kMostNodes = 4'000'000;

/// Reads a job and checks it: what it returns can run, and comes to its end. Throws InputError with
/// file, line and column for what the schema does not allow, for names that are unknown or given twice,
/// for ranks without a program or with two, for a job beyond the limits above, and for the first
/// finding of check(), at the node where it shows.
[[nodiscard]] Job parse_job(std::string_view text, const std::string& file);
/// The same of a file. Throws InputError, also, when it cannot be read.
[[nodiscard]] Job load_job(const std::filesystem::path& path);

}  // namespace gradwire::jobs
