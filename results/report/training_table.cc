#include "results/report/training_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "text/table.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kDefinitions =
    "#\n"
    "# Training: forward and backward pass as timed waits, gradients synchronized in buckets.\n"
    "# iter       from the last rank's start to the last rank's sums; compute: without any "
    "waiting\n"
    "# pred       iter as predicted from the profile and the costs measured (or simulated) before\n"
    "# exposed    iter - compute      jct  all measured iterations, compute included\n"
    "# a, b       least-squares line through the measured costs, a + b x bytes\n"
    "#\n";

constexpr std::array kHeadings = std::to_array<text::Heading>({
    {"backing", "", true},
    {"wiring", "", true},
    {"algo", "", true},
    {"workload", "", true},
    {"batch"},
    {"sched", "", true},
    {"msgs"},
    {"compute", "(us)"},
    {"iter_p50", "(us)"},
    {"iter_p99", "(us)"},
    {"pred", "(us)"},
    {"err%"},
    {"exposed", "(us)"},
    {"exposed%"},
    {"jct", "(us)"},
    {"a", "(us)"},
    {"b", "(ns/B)"},
    {"r2"},
});

std::vector<std::string> cells(const record::Row& row) {
  const record::Configuration& c = row.configuration;
  const record::TrainingRow& t = *row.training;
  const auto error = t.prediction_error_percent();
  return {to_string(c.backing),
          c.wiring,
          c.algorithm,
          c.workload.empty() ? "-" : c.workload,
          c.batch == 0 ? "-" : fmt::to_string(c.batch),
          c.schedule,
          fmt::to_string(t.bucket_gst.size()),
          text::microseconds(t.compute),
          text::microseconds(Seconds(t.iteration.median)),
          text::microseconds(Seconds(t.iteration.p99)),
          error ? text::microseconds(t.plan.predicted.iteration) : "-",
          error ? fmt::format("{:+.1f}", *error) : "-",
          text::microseconds(t.exposed),
          fmt::format("{:.1f}", t.exposed_percent()),
          text::microseconds(t.jct),
          text::microseconds(t.plan.cost.fit.line.a),
          fmt::format("{:.4f}", t.plan.cost.fit.line.b * 1e9),
          fmt::format("{:.4f}", t.plan.cost.fit.r_squared)};
}

}  // namespace

std::string format_training_table(std::span<const record::Row> rows) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> profiles;
  for (const record::Row& row : rows) {
    if (!row.training) continue;
    lines.push_back(cells(row));
    const std::string& profile = row.training->plan.profile;
    if (std::ranges::find(profiles, profile) == profiles.end()) profiles.push_back(profile);
  }
  if (lines.empty()) return "";
  std::string text(kDefinitions);
  text += text::format_columns(kHeadings, lines);
  for (const std::string& profile : profiles) text += "# computing times " + profile + "\n";
  return text;
}

}  // namespace gradwire::report
