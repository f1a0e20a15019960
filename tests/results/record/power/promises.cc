#include "promises.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "harness/run/resumption.h"
#include "results/record/file_names.h"
#include "results/record/ndjson.h"
#include "results/record/stored_run.h"
#include "tests/results/record/stored_points.h"
#include "writer.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

constexpr std::size_t kNoNumber = 1000;

std::size_t number_of_results(const std::string& text) {
  const json document = json::parse(text, nullptr, false);
  return document.is_object() ? document.at("number").get<std::size_t>() : kNoNumber;
}

/// How many timelines there are, in the order in which they were kept.
std::size_t timelines_in(const fs::path& folder) {
  std::size_t found = 0;
  std::vector<StoreProblem> problems;
  read_ndjson(folder / kTimelinesFile, {}, problems, [&](std::string_view line) {
    if (timeline_of_line(line).iteration == found + 1) ++found;
  });
  return found;
}

/// Compares what is there with what was promised.
class Judge {
 public:
  Judge(const fs::path& root, const Promises& promises)
      : folder_(root / kRunPath), table_(root / kTablePath), promises_(promises) {}

  std::vector<std::string> judge() {
    check_number("table.csv", table_, promises_.table, number_of_table);
    if (!fs::exists(folder_)) {
      if (promises_.created) blame("the folder was acknowledged and is lost");
      return broken_;
    }
    try {
      check_run();
      check_resuming();
    } catch (const std::exception& error) {
      blame(fmt::format("not readable: {}", error.what()));
    }
    return broken_;
  }

 private:
  void blame(std::string what) { broken_.push_back(std::move(what)); }

  /// A file that is replaced whole: it holds what was acknowledged last, or what comes next.
  template <class NumberOf>
  void check_number(const char* name, const fs::path& path, std::size_t promised,
                    const NumberOf& number_of) {
    if (!fs::exists(path)) {
      if (promised > 0) blame(fmt::format("{} was acknowledged and is lost", name));
      return;
    }
    const std::size_t found = number_of(text_of(path));
    if (found == promised || found == promised + 1) return;
    blame(fmt::format("{} {} was acknowledged; there is {}", name, promised, found));
  }

  void check_run() {
    const StoredRun run = read_run(folder_);
    const run::ResumedExperiment resumed = run::resume_experiment(run, {});
    if (resumed.attempt <= promises_.attempts) blame("an attempt was acknowledged and is lost");
    for (const StoreProblem& problem : run.problems) {
      if (!problem.place.file.ends_with(".ndjson")) blame(problem.message());
    }
    check_number(kResultsFile, folder_ / kResultsFile, promises_.results, number_of_results);
    check_samples(run, 1);
    check_timelines();
  }

  /// All that were acknowledged are there, in order, and of others only those that came next.
  void check_samples(const StoredRun& run, std::size_t more) {
    std::map<std::string, std::size_t> found;
    for (const StoredPoint& point : run.points) {
      const std::string& key = point.record.key;
      for (const double gst : point.gst) {
        const std::size_t next = ++found[key];
        if (std::abs(gst - static_cast<double>(next) * 1e-6) < 1e-12) continue;
        blame(fmt::format("sample {} of {} is of {} s", next, key, gst));
        return;
      }
      const bool flagged = std::ranges::count(point.row.flags, kWriterFlag) > 0;
      if (!flagged && promises_.flagged.contains(key)) blame("a flag is lost");
    }
    for (const auto& [key, promised] : promises_.samples) {
      if (found[key] >= promised && found[key] <= promised + more) continue;
      blame(fmt::format("{} samples of {} were acknowledged; there are {}", promised, key,
                        found[key]));
    }
  }

  void check_timelines() {
    const std::size_t found = timelines_in(folder_);
    if (found == promises_.timelines || found == promises_.timelines + 1) return;
    blame(fmt::format("{} timelines were acknowledged; there are {}", promises_.timelines, found));
  }

  /// Opens the run to go on with it, as --resume does, and appends a sample that must be found
  /// behind all others.
  void check_resuming() {
    const std::size_t attempt = run::resume_experiment(read_run(folder_), {}).attempt;
    const PointRecord record = point_record(0, attempt);
    const std::size_t before = samples_of(read_run(folder_), record.key);
    {
      RunFolder folder = RunFolder::resume(folder_);
      folder.begin_attempt(attempt);
      folder.begin(record);
      folder.append(sample(record, before + 1, static_cast<int>(before + 1)));
    }
    const StoredRun after = read_run(folder_);
    if (samples_of(after, record.key) != before + 1) blame("a sample after resuming is lost");
    check_samples(after, 2);
  }

  static std::size_t samples_of(const StoredRun& run, const std::string& key) {
    for (const StoredPoint& point : run.points) {
      if (point.record.key == key) return point.gst.size();
    }
    return 0;
  }

  const fs::path folder_;
  const fs::path table_;
  const Promises& promises_;
  std::vector<std::string> broken_;
};

}  // namespace

void add(Promises& promises, const std::vector<std::string>& said) {
  const std::string& what = said.at(0);
  const auto number = [&said](std::size_t word) { return std::stoul(said.at(word)); };
  if (what == "created") promises.created = true;
  if (what == "sample") promises.samples[said.at(1)] = number(2);
  if (what == "flag") promises.flagged[said.at(1)] = true;
  if (what == "timeline") promises.timelines = number(1);
  if (what == "attempt") promises.attempts = number(1);
  if (what == "results") promises.results = number(1);
  if (what == "table") promises.table = number(1);
}

Promises found_in(const fs::path& root) {
  const StoredRun run = read_run(root / kRunPath);
  Promises promises{.created = true};
  for (const StoredPoint& point : run.points) {
    promises.samples[point.record.key] = point.gst.size();
  }
  promises.timelines = timelines_in(run.folder);
  promises.attempts = run.context.at("resumed").size();
  const auto number = [](const fs::path& file, const auto& number_of) -> std::size_t {
    return fs::exists(file) ? number_of(text_of(file)) : 0;
  };
  promises.results = number(run.folder / kResultsFile, number_of_results);
  promises.table = number(root / kTablePath, number_of_table);
  return promises;
}

std::vector<std::string> broken(const fs::path& root, const Promises& promises) {
  return Judge(root, promises).judge();
}

}  // namespace gradwire::record
