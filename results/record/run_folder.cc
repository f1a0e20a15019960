#include "results/record/run_folder.h"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/random_id.h"
#include "core/text/file.h"
#include "core/text/partial.h"
#include "results/record/file_names.h"
#include "results/record/sample_line.h"
#include "results/record/sealed_line.h"
#include "results/record/transfer_columns.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void write_json(const fs::path& path, const json& document) {
  text::write_file_atomically(path, document.dump(2) + "\n");
}

/// Names the program that writes a folder: ": gradwire, process 4711, writes it now"; empty when
/// none does.
std::string writer_of(const fs::path& folder) {
  if (!is_locked(folder / kSamplesFile)) return "";
  std::string process;
  std::ifstream file(folder / kContextFile);
  const json context = json::parse(file, nullptr, false);
  if (context.is_object()) {
    const json resumed = context.value("resumed", json::array());
    const json& last = resumed.is_array() && !resumed.empty() ? resumed.back() : context;
    if (last.is_object() && last.contains("process") && last.at("process").is_number_integer()) {
      process = fmt::format(", process {},", last.at("process").get<std::int64_t>());
    }
  }
  return fmt::format(": gradwire{} writes it now", process);
}

void check_out(const fs::path& out) {
  std::error_code error;
  const fs::file_status status = fs::status(out, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw InputError(SourcePlace{.file = out.string()}, "exists and is not a folder");
  }
  const bool empty = fs::is_empty(out, error);
  if (error) throw SystemError("read folder " + out.string(), error.value());
  if (empty) return;
  throw InputError(SourcePlace{.file = out.string()}, "the folder is not empty" + writer_of(out));
}

fs::path folder_for(const RunFolder::Options& options) {
  if (options.out) {
    // "runs/x/" means "runs/x", and the name beside it is made from the last part.
    return options.out->has_filename() ? *options.out : options.out->parent_path();
  }
  const std::time_t started = std::chrono::system_clock::to_time_t(options.started);
  return options.parent /
         fmt::format("{}-{:%Y%m%dT%H%M%SZ}-{}", options.name, fmt::gmtime(started), random_id());
}

/// Whether a folder holds only the first files of a new run folder. Nothing measured is in a folder
/// that has not got its final name.
bool is_unfinished(const fs::path& folder) {
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename();
    const std::string_view known = text::name_of_partial(name).value_or(name);
    if (known == kExperimentFile || known == kContextFile) continue;
    const bool lines = known == kSamplesFile || known == kPointsFile || known == kTimelinesFile;
    if (!lines || at->file_size(failure) != 0) return false;
  }
  return !failure;
}

/// Writes the first files of a run folder; messages call the folder `called`.
RunFolder::Files fill(const fs::path& folder, const fs::path& called,
                      const RunFolder::Options& options, const json& context) {
  const auto create = [&](const char* name) {
    return LineFile::create(folder / name, called / name);
  };
  // The first of these decides, should somebody else fill the same empty folder.
  RunFolder::Files files{.samples = create(kSamplesFile),
                         .points = create(kPointsFile),
                         .timelines = create(kTimelinesFile)};
  text::write_file_atomically(folder / kExperimentFile, options.experiment);
  write_json(folder / kContextFile, context);
  text::sync_folder(folder);
  return files;
}

/// Creates a folder with its first files under a temporary name, then renames it.
RunFolder::Files create_whole(const fs::path& folder, const RunFolder::Options& options,
                              const json& context) {
  text::sweep_partials(folder.parent_path(), is_unfinished);
  text::Partial partial(folder, text::Partial::Kind::folder);
  RunFolder::Files files = fill(partial.path(), folder, options, context);
  partial.rename_to(folder);
  text::sync_folder(folder.parent_path());
  return files;
}

}  // namespace

RunFolder RunFolder::create(const Options& options, const json& context) {
  const fs::path folder = folder_for(options);
  check_out(folder);
  if (fs::exists(folder)) {
    // An empty folder may be a mount point, which no rename can replace.
    return {folder, 0, fill(folder, folder, options, context)};
  }
  text::create_folders(folder.parent_path());
  return {folder, 0, create_whole(folder, options, context)};
}

RunFolder RunFolder::resume(const fs::path& path) {
  Files files{.samples = LineFile::reopen(path / kSamplesFile),
              .points = LineFile::reopen(path / kPointsFile),
              .timelines = LineFile::reopen(path / kTimelinesFile)};
  text::sweep_partials(path, [](const fs::path& file) { return !fs::is_directory(file); });
  return {path, 0, std::move(files)};
}

RunFolder::RunFolder(fs::path path, std::size_t attempt, Files files)
    : path_(std::move(path)), attempt_(attempt), files_(std::move(files)) {}

void RunFolder::begin(const PointRecord& record) {
  ensure(record.attempt == attempt_, "a point begins in the attempt that measures it");
  files_.points.append(seal(to_json(record)));
}

void RunFolder::append(const Sample& sample) {
  files_.samples.append(sample_line(sample));
}

void RunFolder::mark(const std::string& key, const std::string& flag) {
  files_.points.append(seal({{"key", key}, {"session", attempt_}, {"flag", flag}}));
}

void RunFolder::keep(const Timeline& timeline) {
  files_.timelines.append(seal(to_json(timeline), kTimelineVersion));
}

void RunFolder::write_context(const json& context) const {
  write_json(path_ / kContextFile, context);
}

void RunFolder::write_calibration(const json& calibration) const {
  const std::string name = attempt_ == 0 ? kCalibrationFile : calibration_file(attempt_);
  write_json(path_ / name, calibration);
}

void RunFolder::write_hosts(const json& hosts) const {
  write_json(path_ / (attempt_ == 0 ? std::string(kHostsFile) : hosts_file(attempt_)), hosts);
}

void RunFolder::write_results(const json& results) const {
  write_json(path_ / kResultsFile, results);
}

}  // namespace gradwire::record
