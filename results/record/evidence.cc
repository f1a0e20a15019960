#include "results/record/evidence.h"

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "core/error.h"
#include "core/text/file.h"
#include "core/text/partial.h"
#include "results/record/file_names.h"
#include "results/record/ndjson.h"
#include "results/record/sealed_line.h"
#include "results/record/stored_run.h"
#include "results/record/timeline.h"
#include "results/record/transfer_columns.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

void require(const std::error_code& error, const char* what, const fs::path& path) {
  if (error) throw SystemError(std::string(what) + " " + path.string(), error.value());
}

/// Whether a file is copied unchanged, however often the run was resumed.
bool is_kept(const std::string& name) {
  constexpr auto kWhole = std::to_array<std::string_view>(
      {kExperimentFile, kContextFile, kPointsFile, kSamplesFile, kCalibrationFile, kHostsFile});
  for (const std::string_view kept : kWhole) {
    if (name == kept) return true;
  }
  return is_numbered_file(name);
}

void throw_first(const std::vector<StoreProblem>& problems) {
  if (!problems.empty()) throw InputError(problems.front().message());
}

StoredRun read_whole(const fs::path& folder) {
  StoredRun run = read_run(folder);
  throw_first(run.problems);
  if (run.status == RunStatus::running) {
    throw InputError(SourcePlace{.file = folder.string()}, "is being written");
  }
  return run;
}

/// The lines of timelines.ndjson for measured points, in today's format, with fewer ranks.
std::string measured_timelines(const StoredRun& run) {
  std::set<std::string> simulated;
  for (const StoredPoint& point : run.points) {
    if (point.record.configuration.backing == Backing::simulated)
      simulated.insert(point.record.key);
  }
  std::string kept;
  std::vector<StoreProblem> problems;
  read_ndjson(run.folder / kTimelinesFile, {}, problems, [&](std::string_view line) {
    Timeline timeline = timeline_of_line(line);
    if (simulated.contains(timeline.key)) return;
    timeline.ranks = first_ranks(std::move(timeline.ranks), kMostSpansOfEvidence);
    kept += seal(to_json(timeline), kTimelineVersion) + "\n";
  });
  throw_first(problems);
  return kept;
}

void fill(const fs::path& to, const StoredRun& run) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run.folder, error)) {
    const fs::path name = entry.path().filename();
    if (!is_kept(name.string())) continue;
    fs::copy_file(entry.path(), to / name, error);
    require(error, "copy", entry.path());
  }
  require(error, "read folder", run.folder);
  const std::string timelines = measured_timelines(run);
  if (!timelines.empty()) text::write_file_atomically(to / kTimelinesFile, timelines);
}

}  // namespace

void copy_evidence(const fs::path& from, const fs::path& to) {
  const StoredRun run = read_whole(from);
  if (fs::exists(to)) throw InputError(SourcePlace{.file = to.string()}, "exists");
  const fs::path folder = to.has_filename() ? to : to.parent_path();
  text::Partial partial(folder, text::Partial::Kind::folder);
  fill(partial.path(), run);
  partial.rename_to(folder);
}

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  require(error, "read folder", folder);
  return bytes;
}

}  // namespace gradwire::record
