#include "results/record/stored_run.h"

#include <algorithm>
#include <future>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/name_table.h"
#include "core/text/file.h"
#include "core/text/partial.h"
#include "results/record/file_names.h"
#include "results/record/flags.h"
#include "results/record/line_file.h"
#include "results/record/ndjson.h"
#include "results/record/sample_line.h"
#include "results/record/store_error.h"
#include "results/record/stored_point_builder.h"
#include "results/record/sweep_part.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr NameTable<RunStatus, 3> kRunStatuses({{"complete", RunStatus::complete},
                                                {"incomplete", RunStatus::incomplete},
                                                {"running", RunStatus::running}});

constexpr std::size_t kMostDocumentBytes = std::size_t{1} << 24;

/// The size of a file; 0 where there is none.
std::size_t size_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : static_cast<std::size_t>(size);
}

/// Reader of one run folder.
class Reader {
 public:
  explicit Reader(const fs::path& folder) { run_.folder = folder; }

  StoredRun read() {
    reading_.running = is_locked(run_.folder / kSamplesFile);
    read_context();
    read_calibrations();
    read_hosts();
    // Points begin before their samples: those of the samples that are there now will be read.
    const std::size_t samples = size_of(run_.folder / kSamplesFile);
    read_lines(kPointsFile, [this](std::string_view line) { add_point_line(line); });
    reading_.limit = samples;
    read_lines(kSamplesFile, [this](std::string_view line) { add_sample(line); });
    for (const std::string& key : order_) {
      if (auto point = points_.at(key).point()) run_.points.push_back(std::move(*point));
    }
    sort_points();
    run_.status = status();
    return std::move(run_);
  }

 private:
  /// Reads a whole file; null when there is no such file or it cannot be read.
  json read_whole(const std::string& name, std::string_view schema_name) {
    const fs::path path = run_.folder / name;
    std::error_code ignored;
    if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found) return nullptr;
    try {
      return checked_document(text::read_input_file(path, kMostDocumentBytes), schema_name);
    } catch (const StoreError& error) {
      run_.problems.push_back({{.file = path.string()}, error.what()});
    } catch (const InputError& error) {
      run_.problems.push_back({{}, error.what()});
    }
    return nullptr;
  }

  void read_context() {
    run_.context = read_whole(kContextFile, "context");
    run_.name = run_.folder.filename().string();
    try {
      is_part_ = part_record(run_.context).has_value();
    } catch (const StoreError& error) {
      run_.problems.push_back({{.file = (run_.folder / kContextFile).string()}, error.what()});
      run_.context = nullptr;
    }
    if (run_.context.is_null()) return;
    const json& experiment = run_.context.at("experiment");
    run_.name = experiment.at("name");
    run_.description = experiment.at("description");
    run_.started = run_.context.at("started");
    run_.planned = experiment.at("planned");
    iterations_ = experiment.at("iterations");
  }

  /// Reads the last calibration of each wiring, by attempt or part.
  void read_calibrations() {
    run_.calibration = read_whole(kCalibrationFile, "calibration");
    for (std::size_t number = 1; number <= numbered(); ++number) {
      json later = read_whole(calibration_file(number), "calibration");
      if (is_merged(run_.context)) run_.part_calibrations.push_back(later);
      if (later.is_null()) continue;
      if (!run_.calibration.is_null()) {
        json wirings = run_.calibration.at("wirings");
        wirings.update(later.at("wirings"));
        later["wirings"] = std::move(wirings);
      }
      run_.calibration = std::move(later);
    }
  }

  /// Reads the hosts file of the last attempt, or part, that used hosts.
  void read_hosts() {
    run_.hosts = read_whole(kHostsFile, "hosts");
    for (std::size_t number = 1; number <= numbered(); ++number) {
      json later = read_whole(hosts_file(number), "hosts");
      if (!later.is_null()) run_.hosts = std::move(later);
    }
  }

  /// Number of resumptions, or of parts that were merged: files are numbered up to it.
  [[nodiscard]] std::size_t numbered() const {
    if (run_.context.is_null()) return 0;
    return run_.context.at(is_merged(run_.context) ? "parts" : "resumed").size();
  }

  template <class Take>
  void read_lines(const char* name, Take take) {
    read_ndjson(run_.folder / name, reading_, run_.problems, take);
  }

  void add_point_line(std::string_view line) {
    const json document = sealed_document(line);
    require_valid(document, point_schema_, "point");
    const std::string key = document.at("key");
    if (document.contains("flag")) {
      builder_of(key).mark(document.at("session"), document.at("flag"));
      return;
    }
    PointRecord record = point_record_from_json(document);
    if (!points_.contains(key)) order_.push_back(key);
    points_[key].begin(std::move(record));
  }

  void add_sample(std::string_view line) {
    const StoredSample sample = samples_.read(line);
    builder_of(sample.key).add(sample);
  }

  StoredPointBuilder& builder_of(const std::string& key) {
    const auto found = points_.find(key);
    if (found == points_.end()) throw StoreError(fmt::format("is of no known point, {}", key));
    return found->second;
  }

  /// Sorts the points by backing, in the order of their first points, then by the experiment's
  /// order.
  void sort_points() {
    std::vector<Backing> backings;
    for (const StoredPoint& point : run_.points) {
      const Backing backing = point.record.configuration.backing;
      if (std::ranges::find(backings, backing) == backings.end()) backings.push_back(backing);
    }
    std::ranges::stable_sort(run_.points, {}, [&](const StoredPoint& point) {
      const Configuration& c = point.record.configuration;
      return std::pair(std::ranges::find(backings, c.backing) - backings.begin(), c.point);
    });
  }

  [[nodiscard]] RunStatus status() const {
    if (reading_.running) return RunStatus::running;
    const bool whole = std::ranges::all_of(run_.points, [this](const StoredPoint& point) {
      return point.record.configuration.backing == Backing::simulated ||
             point.gst.size() >= std::max(point.record.iterations, iterations_);
    });
    const bool says = run_.planned > 0 || is_part_;  // a part may have no points
    return whole && says && run_.points.size() >= run_.planned ? RunStatus::complete
                                                               : RunStatus::incomplete;
  }

  StoredRun run_;
  Reading reading_;
  std::size_t iterations_ = 0;  ///< iterations that the experiment asks for now
  bool is_part_ = false;        ///< whether it is a part of a sweep
  const text::SchemaChecker& point_schema_ = text::shared_checker(text::schema("point"));
  SampleLineReader samples_;
  std::map<std::string, StoredPointBuilder> points_;  ///< by key
  std::vector<std::string> order_;                    ///< keys in the order in which points began
};

bool is_run_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path / kContextFile, ignored) ||
         fs::is_regular_file(path / kSamplesFile, ignored);
}

/// The path itself, or the run folders directly in it, by name.
std::vector<fs::path> folders_in(const fs::path& path) {
  const SourcePlace place{.file = path.string()};
  std::error_code error;
  if (!fs::is_directory(path, error)) throw InputError(place, "there is no such folder");
  if (is_run_folder(path)) return {path};
  std::vector<fs::path> folders;
  const fs::directory_iterator entries(path, error);
  if (error) throw SystemError("read folder " + path.string(), error.value());
  for (const auto& entry : entries) {
    // What a kill left while a folder was made is no run yet.
    const auto partial = text::name_of_partial(entry.path().filename().native());
    if (!partial && is_run_folder(entry.path())) folders.push_back(entry.path());
  }
  if (folders.empty()) throw InputError(place, "holds no run");
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

std::string_view to_string(RunStatus status) {
  return kRunStatuses.name_of(status);
}

const json& calibration_of(const StoredRun& run, const Configuration& point) {
  const std::vector<json>& parts = run.part_calibrations;
  return parts.empty() ? run.calibration : parts[point.point % parts.size()];
}

void require_run_folder(const fs::path& folder) {
  const SourcePlace place{.file = folder.string()};
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw InputError(place, "there is no such folder");
  if (!is_run_folder(folder)) throw InputError(place, "is not the folder of a run");
}

StoredRun read_run(const fs::path& folder) {
  require_run_folder(folder);
  return Reader(folder).read();
}

std::vector<StoredRun> read_runs(std::span<const fs::path> folders) {
  std::vector<StoredRun> runs(folders.size());
  const auto read_half = [&](std::size_t first) {
    for (std::size_t i = first; i < folders.size(); i += 2) runs[i] = read_run(folders[i]);
  };
  std::future<void> other = std::async(std::launch::async, read_half, 1);
  read_half(0);
  other.get();
  return runs;
}

std::vector<fs::path> folders_of(std::span<const std::string> paths) {
  std::vector<fs::path> all;
  for (const std::string& path : paths) {
    const std::vector<fs::path> folders = folders_in(path);
    all.insert(all.end(), folders.begin(), folders.end());
  }
  return all;
}

}  // namespace gradwire::record
