#include "results/record/merge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/file.h"
#include "core/text/partial.h"
#include "results/record/file_names.h"
#include "results/record/keyed_lines.h"
#include "results/record/ndjson.h"
#include "results/record/parts_of_sweep.h"
#include "results/record/sample_line.h"
#include "results/record/timeline.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Whether a folder holds nothing but files of a run folder, and so may be the leftover of a killed
/// merge.
bool is_copy(const fs::path& folder) {
  constexpr auto kFiles = std::to_array<std::string_view>(
      {kExperimentFile, kContextFile, kPointsFile, kSamplesFile, kTimelinesFile, kResultsFile});
  std::error_code failure;
  if (fs::symlink_status(folder, failure).type() != fs::file_type::directory) return false;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename();
    const std::string_view known = text::name_of_partial(name).value_or(name);
    if (at->symlink_status(failure).type() != fs::file_type::regular) return false;
    if (std::ranges::find(kFiles, known) == kFiles.end() && !is_numbered_file(known)) return false;
  }
  return !failure;
}

/// Throws unless a folder of this name can be made: nothing has the name, and it would not lie in a
/// part.
void require_new(const fs::path& folder, std::span<const fs::path> parts) {
  const SourcePlace place{.file = folder.string()};
  if (folder.empty()) throw InputError("the merged run's folder needs a name");
  std::error_code error;
  const fs::file_type type = fs::symlink_status(folder, error).type();
  if (type == fs::file_type::none) throw SystemError("look at " + folder.string(), error.value());
  if (type != fs::file_type::not_found) throw InputError(place, "exists");
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder));
  for (const fs::path& part : parts) {
    const fs::path outer = fs::canonical(part, error);
    if (error) continue;  // reading it says why
    const auto [in_outer, in_whole] = std::ranges::mismatch(outer, whole);
    if (in_outer == outer.end()) {
      throw InputError(place, fmt::format("lies in {}, a part of it", part.string()));
    }
  }
}

/// Point, and the part that has it.
struct Place {
  std::size_t part = 0;  ///< index, from 0
  Configuration configuration;
  std::string key;
};

/// The order in which a run of the whole experiment measures points.
std::vector<Place> order_of(std::span<const StoredRun> parts) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const StoredPoint& point : parts[i].points) {
      places.push_back({i, point.record.configuration, point.record.key});
    }
  }
  std::ranges::stable_sort(places, {}, [](const Place& place) {
    return std::pair(place.configuration.backing, place.configuration.point);
  });
  return places;
}

/// Writer of a merged run's folder.
class Merger {
 public:
  Merger(std::span<const StoredRun> parts, const fs::path& to)
      : parts_(parts), to_(to), order_(order_of(parts)) {}

  void write(const json& context) const {
    const std::vector<KeyedLines> points = lines_of(
        kPointsFile, [](std::string_view line) { return sealed_document(line).at("key"); });
    copy(kPointsFile, points);
    SampleLineReader samples;
    const auto samples_of =
        lines_of(kSamplesFile, [&](std::string_view line) { return samples.read(line).key; });
    require_begun(samples_of, points);
    copy(kSamplesFile, samples_of);
    const auto timelines =
        lines_of(kTimelinesFile, [](std::string_view line) { return timeline_of_line(line).key; });
    require_begun(timelines, points);
    copy(kTimelinesFile, timelines);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      write_json(calibration_file(i + 1), parts_[i].calibration);
      write_json(hosts_file(i + 1), parts_[i].hosts);
    }
    text::write_file_atomically(to_ / kExperimentFile,
                                context.at("experiment").at("text").get<std::string>());
    write_json(kContextFile, context);
  }

  /// Writes results.json, which is made only after the rest has been read back.
  void write_results(const json& results) const { write_json(kResultsFile, results); }

 private:
  /// Writes a document; null stands for a file that does not exist.
  void write_json(const std::string& name, const json& document) const {
    if (!document.is_null()) text::write_file_atomically(to_ / name, document.dump(2) + "\n");
  }

  /// Indexes the lines of a file in every part.
  [[nodiscard]] std::vector<KeyedLines> lines_of(const char* name,
                                                 const KeyedLines::KeyOf& key_of) const {
    std::vector<KeyedLines> lines;
    for (const StoredRun& part : parts_) lines.emplace_back(part.folder / name, key_of);
    return lines;
  }

  /// Copies the lines of a file. Without it in any part, the whole has none. Points that were begun
  /// and never measured are not copied.
  void copy(const char* name, std::span<const KeyedLines> lines) const {
    const auto is_there = [](const KeyedLines& part) { return fs::exists(part.file()); };
    if (std::ranges::none_of(lines, is_there)) return;
    const fs::path path = to_ / name;
    const FileDescriptor file(
        checked(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666),
                "create " + path.string()));
    for (const Place& place : order_) lines[place.part].copy(place.key, file.get(), path);
    checked(::fsync(file.get()), "fsync " + path.string());
  }

  /// Throws for lines of points that were not begun, so that nothing else of a part is left out
  /// silently.
  static void require_begun(std::span<const KeyedLines> lines, std::span<const KeyedLines> points) {
    for (std::size_t part = 0; part < lines.size(); ++part) {
      const std::vector<std::string> begun = points[part].keys();
      for (const std::string& key : lines[part].keys()) {
        if (std::ranges::binary_search(begun, key)) continue;
        throw InputError(SourcePlace{.file = lines[part].file().string()},
                         fmt::format("has lines of a point that was not begun, {}", key));
      }
    }
  }

  std::span<const StoredRun> parts_;
  const fs::path& to_;
  std::vector<Place> order_;
};

/// Reads back the merged folder.
StoredRun read_whole(const fs::path& folder, std::span<const StoredRun> parts) {
  StoredRun whole = read_run(folder);
  RunStatus status = RunStatus::complete;
  std::size_t points = 0;
  std::size_t samples = 0;
  for (const StoredRun& part : parts) {
    if (part.status != RunStatus::complete) status = RunStatus::incomplete;
    points += part.points.size();
    for (const StoredPoint& point : part.points) samples += point.gst.size();
  }
  for (const StoredPoint& point : whole.points) samples -= point.gst.size();
  if (!whole.problems.empty() || whole.status != status || whole.points.size() != points ||
      samples != 0) {
    throw InputError("a part changed while it was merged: merge them again");
  }
  return whole;
}

}  // namespace

void merge_parts(const Merge& merge) {
  const fs::path folder = merge.to.has_filename() ? merge.to : merge.to.parent_path();
  require_new(folder, merge.parts);
  const std::vector<StoredRun> parts = read_parts(merge.parts, merge.incomplete);
  text::create_folders(folder.parent_path());
  text::sweep_partials(folder.parent_path(), [&](const fs::path& left) {
    return text::name_of_partial(left.filename().native()) == folder.filename().native() &&
           is_copy(left);
  });
  text::Partial partial(folder, text::Partial::Kind::folder);
  const Merger merger(parts, partial.path());
  merger.write(merged_context(parts, merge.arguments));
  merger.write_results(merge.results(read_whole(partial.path(), parts)));
  text::sync_folder(partial.path());
  partial.rename_to(folder);
  text::sync_folder(folder.parent_path());
}

}  // namespace gradwire::record
