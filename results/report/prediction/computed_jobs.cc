#include "results/report/prediction/computed_jobs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"
#include "core/text/text_check.h"
#include "results/record/computed_profile.h"
#include "results/record/flags.h"
#include "results/report/pair_key.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kJobDefinitions =
    "#\n"
    "# Programs that computed, and what was predicted of the same jobs. Traced is what the passes\n"
    "# take by the trace, or where nothing was simulated, what timed waits of these times took;\n"
    "# waited is an iteration with such waits. All are medians;\n"
    "# off% = 100 (predicted / computed - 1).\n"
    "#\n";

constexpr std::array kJobHeadings = std::to_array<text::Heading>({
    {"wiring", "", true},
    {"algo", "", true},
    {"sched", "", true},
    {"compute", "(us)"},
    {"traced", "(us)"},
    {"off%"},
    {"iter", "(us)"},
    {"simulated", "(us)"},
    {"off%"},
    {"waited", "(us)"},
    {"off%"},
    {"flags", "", true},
});

/// Row of a training job, with the fields that its predictions share.
struct Job {
  const record::Row* row;
  std::string pair;

  [[nodiscard]] bool is_computed() const {
    return record::is_computed(row->training->plan.profile);
  }
};

Seconds compute_of(const Job& job) {
  return job.row->training->compute;
}

Seconds iteration_of(const Job& job) {
  return Seconds(job.row->training->iteration.median);
}

std::vector<Job> jobs_of(std::span<const record::StoredRun> runs) {
  std::vector<Job> jobs;
  for (const record::StoredRun& run : runs) {
    const nlohmann::json link = link_of(run);
    for (const record::StoredPoint& point : run.points) {
      if (point.row.training) jobs.push_back({&point.row, pair_key(link, point.row)});
    }
  }
  return jobs;
}

/// The prediction of a job on a backing; null where no run has it.
const Job* prediction_of(const Job& job, std::span<const Job> jobs, record::Backing backing) {
  const auto found = std::ranges::find_if(jobs, [&](const Job& other) {
    return other.pair == job.pair && !other.is_computed() &&
           other.row->configuration.backing == backing;
  });
  return found == jobs.end() ? nullptr : &*found;
}

/// Adds a predicted time of a job, and its error in percent.
void add_prediction(std::vector<std::string>& cells, const Job* predicted, const Job& job,
                    Seconds (*time_of)(const Job&)) {
  if (predicted == nullptr) {
    cells.insert(cells.end(), 2, "-");
    return;
  }
  cells.push_back(text::microseconds(time_of(*predicted)));
  cells.push_back(fmt::format("{:+.1f}", 100 * (time_of(*predicted) / time_of(job) - 1)));
}

std::vector<std::string> cells_of(const Job& job, std::span<const Job> jobs) {
  const Job* const simulated = prediction_of(job, jobs, record::Backing::simulated);
  const Job* const waited = prediction_of(job, jobs, record::Backing::emulated);
  const record::Configuration& c = job.row->configuration;
  std::vector<std::string> cells{text::plain_line(c.wiring), text::plain_line(c.algorithm),
                                 text::plain_line(c.schedule), text::microseconds(compute_of(job))};
  add_prediction(cells, simulated != nullptr ? simulated : waited, job, compute_of);
  cells.push_back(text::microseconds(iteration_of(job)));
  add_prediction(cells, simulated, job, iteration_of);
  add_prediction(cells, waited, job, iteration_of);
  const std::vector<std::string> flags = record::row_flags(*job.row);
  cells.push_back(flags.empty() ? "-" : fmt::format("{}", fmt::join(flags, ",")));
  return cells;
}

}  // namespace

std::string format_computed_jobs(std::span<const record::StoredRun> runs) {
  const std::vector<Job> jobs = jobs_of(runs);
  std::vector<std::vector<std::string>> lines;
  for (const Job& job : jobs) {
    if (job.is_computed()) lines.push_back(cells_of(job, jobs));
  }
  if (lines.empty()) return "";
  return std::string(kJobDefinitions) + text::format_columns(kJobHeadings, lines);
}

}  // namespace gradwire::report
