#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/units.h"
#include "schedule/jobs/job.h"
#include "schedule/jobs/placement.h"

/// Files that list the jobs which share a fabric (docs/jobs.md, results/schema/jobs.schema.json).
namespace gradwire::jobs {

/// A job in a list of jobs.
struct ListedJob {
  std::string name;
  std::string file;  ///< the written path, behind the folder of the list's file
  Placement placement;
  Seconds start{};
  std::size_t iterations = 10;
  SourcePlace place;                         ///< place of its entry
  std::shared_ptr<const Job> job = nullptr;  ///< the job in its file, once that is read
};

/// Reads a list without the job files that it names. Throws InputError with file, line and column
/// for a violation of the schema, and for a name that is given twice.
[[nodiscard]] std::vector<ListedJob> parse_jobs(std::string_view text, const std::string& file);
/// Reads a list and every job file of it, each once. Throws like parse_jobs() and load_job().
[[nodiscard]] std::vector<ListedJob> load_jobs(const std::filesystem::path& path);

/// The hosts of the jobs, by rank, on a wiring with so many. Throws InputError, without a place,
/// like place() of placement.h. Requires that the job files are read.
[[nodiscard]] std::vector<std::vector<Rank>> place(std::size_t hosts,
                                                   const std::vector<ListedJob>& jobs);

}  // namespace gradwire::jobs
