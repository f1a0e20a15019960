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

/// Files that say which jobs share a fabric (docs/jobs.md, results/schema/jobs.schema.json).
namespace gradwire::jobs {

/// A job among others, as its file has it.
struct ListedJob {
  std::string name;
  std::string file;  ///< as it is written, with the folder of the file that names it before it
  Placement placement;
  Seconds start{};
  std::size_t iterations = 10;
  SourcePlace place;                         ///< of its entry
  std::shared_ptr<const Job> job = nullptr;  ///< what its file says, once that is read
};

/// Reads a list without the job files that it names. Throws InputError with file, line and column for
/// what the schema does not allow, and for a name that is given twice.
[[nodiscard]] std::vector<ListedJob> parse_jobs(std::string_view text, const std::string& file);
/// Reads a list and every job file of it, each once. Throws InputError, also, as load_job().
[[nodiscard]] std::vector<ListedJob> load_jobs(const std::filesystem::path& path);

/// The hosts of the jobs, by rank, on a wiring with so many. Throws InputError, without a
/// place, as place(). Requires that the job files are read.
[[nodiscard]] std::vector<std::vector<Rank>> place(std::size_t hosts,
                                                   const std::vector<ListedJob>& jobs);

}  // namespace gradwire::jobs
