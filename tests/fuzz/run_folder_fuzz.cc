#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "harness/commands/configured_plans.h"
#include "harness/run/resumption.h"
#include "results/record/stored_run.h"
#include "results/report/csv.h"
#include "results/report/junit.h"
#include "results/report/page/page.h"
#include "results/report/page/page_data.h"
#include "results/report/results_json.h"
#include "results/report/run_text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sealed.h"
#include "tests/fuzz/small_wirings.h"

/// Run folders of somebody else, read, shown in every form and resumed. An input holds several
/// files: "@name" on a line of its own begins one. Lines of *.ndjson get seals that fit, since a
/// hostile folder has them.
namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 64;

/// A folder that is gone when this is.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("gradwire-fuzz-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Names of files that a run folder has; all others would be nobody's business.
bool is_known(std::string_view name) {
  for (const std::string_view known :
       {"context.json", "calibration.json", "calibration-1.json", "hosts.json", "hosts-1.json",
        "points.ndjson", "samples.ndjson", "timelines.ndjson"}) {
    if (name == known) return true;
  }
  return false;
}

void write(const fs::path& folder, std::string_view text) {
  std::ofstream file;
  bool sealed = false;
  std::size_t lines = 0;
  while (!text.empty() && lines < kMostLines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('@') && is_known(line.substr(1))) {
      file = std::ofstream(folder / line.substr(1), std::ios::binary);
      sealed = line.ends_with(".ndjson");
    } else if (file.is_open()) {
      file << (sealed ? fuzz::sealed(line) : std::string(line)) << '\n';
      ++lines;
    }
  }
}

void show(const StoredRun& run) {
  const std::vector<StoredRun> runs{run};
  static_cast<void>(report::format_run(run) + report::format_problems(run));
  static_cast<void>(report::format_csv(runs));
  const std::vector<Row> rows = report::rows_of(run);
  static_cast<void>(report::json_text(report::results_json(rows, std::nullopt)));
  std::vector<Configuration> planned;
  for (const StoredPoint& point : run.points) planned.push_back(point.record.configuration);
  static_cast<void>(report::format_junit(report::junit_of_run({.context = run.context,
                                                               .planned = planned,
                                                               .rows = rows,
                                                               .failures = {},
                                                               .ended_because = {}})));
  const auto page = report::page_data(runs, {.plans = commands::configured_plans, .timelines = {}},
                                      std::chrono::system_clock::time_point{});
  fuzz::require(report::script_safe(page).find('<') == std::string::npos,
                "a page's data end no script");
}

}  // namespace
}  // namespace gradwire::record

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  if (fuzz::names_large_wiring(text)) return 0;
  const record::Folder folder;
  record::write(folder.path(), text);
  const auto stored = fuzz::value_of<InputError>([&] { return record::read_run(folder.path()); });
  if (!stored) return 0;
  record::show(*stored);
  static_cast<void>(
      fuzz::value_of<InputError>([&] { return run::resume_experiment(*stored, {}); }));
  return 0;
}
