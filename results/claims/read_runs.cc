#include "results/claims/read_runs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "results/record/stored_run.h"
#include "testbed/shape.h"

namespace gradwire::claims {
namespace {

namespace fs = std::filesystem;

/// A run of these links, without rows.
Run run_of(const std::string& experiment, const nlohmann::json& link) {
  const double share = link.at("headers").get<bool>()
                           ? testbed::payload_fraction(link.at("mtu").get<std::size_t>())
                           : 1;
  const nlohmann::json& rate = link.at("rate_bits_per_s");
  return {.experiment = experiment,
          .payload = {rate.is_null() ? kUnlimited.bits_per_second : rate.get<double>() * share},
          .startup = Seconds(link.at("startup_us").get<double>() * 1e-6)};
}

Run load_run(const fs::path& folder, std::vector<std::string>& problems) {
  record::StoredRun stored = record::read_run(folder);
  if (stored.context.is_null()) throw InputError("its context.json cannot be read");
  Run run = run_of(stored.name, stored.context.at("experiment").at("link"));
  for (record::StoredPoint& point : stored.points) run.rows.push_back(std::move(point.row));
  for (const record::StoreProblem& problem : stored.problems) {
    problems.push_back(problem.message());
  }
  if (stored.status != record::RunStatus::complete) {
    problems.push_back(fmt::format("{}: {}", folder.string(), to_string(stored.status)));
  }
  if (folder.filename() != stored.name) {
    problems.push_back(fmt::format("{}: holds a run of {}", folder.string(), stored.name));
  }
  return run;
}

}  // namespace

FoundRuns read_runs(const fs::path& folder) {
  FoundRuns found;
  if (!fs::is_directory(folder)) {
    found.problems.push_back(folder.string() + ": no such folder");
    return found;
  }
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory() || entry.path().filename().string().starts_with('.')) continue;
    folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  for (const fs::path& run : folders) {
    try {
      found.runs.add(load_run(run, found.problems));
    } catch (const InputError& error) {
      found.problems.push_back(fmt::format("{}: {}", run.string(), error.what()));
    }
  }
  return found;
}

}  // namespace gradwire::claims
