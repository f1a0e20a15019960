#include "results/report/compare/comparison_report.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"
#include "core/text/text_check.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"
#include "results/report/metrics/metrics.h"
#include "results/report/metrics/text_columns.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kComparisonDefinitions =
    "# gst      from the last rank's gradient ready to the last rank's result usable; of a "
    "training\n"
    "#          job, all buckets' together; iter: its iterations. p50 is the median\n"
    "# ratio    B / A: the median of the ratios of every time of B to every time of A (Hodges and\n"
    "#          Lehmann); below 1, B is faster\n"
    "# low-high holds the true ratio with at least 95 % confidence, if B's times are A's by a "
    "factor,\n"
    "#          whatever their distribution\n"
    "# verdict  faster or slower: B is, p < 0.05; same: no difference shown; -: one simulated "
    "time,\n"
    "#          or too few iterations. Of 20 points that did not change, expect one to be called\n"
    "#          changed: the test knows what varies between iterations, not what varies between "
    "runs.\n";

constexpr std::string_view kWideDefinitions =
    "# n, conf% measured iterations; the confidence of low-high\n"
    "# U        Mann and Whitney: pairs in which B takes longer, of n(A) n(B); equal times count "
    "half\n"
    "# p        how likely a U as far from n(A) n(B) / 2 is if A and B do not differ; two-sided\n";

constexpr std::string_view kMoreColumns =
    "# --wide adds the test behind the verdict, and how far to believe the times of both runs.\n";

/// A column, and whether --wide alone prints it.
struct Column {
  text::Heading heading;
  bool wide = false;
};

constexpr std::array kComparisonColumns = std::to_array<Column>({
    {{.name = "backing", .left = true, .once = true}},
    {{"wiring", "", true}},
    {{"algo", "", true}},
    {{.name = "workload", .left = true, .once = true}},
    {{.name = "batch", .once = true}},
    {{.name = "sched", .left = true, .once = true}},
    {{.name = "size", .unit = "(B)", .once = true}},
    {{"of", "", true}},
    {{"n(A)"}, true},
    {{"A_p50", "(us)"}},
    {{"n(B)"}, true},
    {{"B_p50", "(us)"}},
    {{"ratio"}},
    {{"low"}},
    {{"high"}},
    {{"conf%"}, true},
    {{"U"}, true},
    {{"p"}, true},
    {{"verdict", "", true}},
    {{"kept A"}, true},
    {{"kept B"}, true},
    {{"eff% A"}, true},
    {{"eff% B"}, true},
    {{"off% A"}, true},
    {{"off% B"}, true},
    {{"foreign% A"}, true},
    {{"foreign% B"}, true},
    {{"flags A", "", true}},
    {{"flags B", "", true}},
});

std::string shown_p(const std::optional<RankTest>& test) {
  if (!test) return "-";
  return test->p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", test->p);
}

std::string shown_flags(const std::vector<std::string>& flags) {
  return flags.empty() ? "-" : fmt::format("{}", fmt::join(flags, ","));
}

/// Metrics that are shown beside the times of both runs.
constexpr std::array<std::string_view, 4> kBeside{"kept", "eff", "GST prediction off by",
                                                  "foreign share"};

/// The cells of a point before those of kBeside.
std::vector<std::string> cells_of(const PointComparison& point, const char* of,
                                  const Contrast& contrast) {
  const record::Configuration& c = point.configuration;
  const auto& interval = contrast.ratio.interval;
  return {to_string(c.backing),
          c.wiring,
          c.algorithm,
          c.workload.empty() ? "-" : c.workload,
          c.batch == 0 ? "-" : fmt::to_string(c.batch),
          c.schedule,
          fmt::to_string(c.bytes()),
          of,
          fmt::to_string(contrast.n_a),
          text::microseconds(Seconds(contrast.median_a)),
          fmt::to_string(contrast.n_b),
          text::microseconds(Seconds(contrast.median_b)),
          fmt::format("{:.4f}", contrast.ratio.ratio),
          interval ? fmt::format("{:.4f}", interval->low) : "-",
          interval ? fmt::format("{:.4f}", interval->high) : "-",
          interval ? fmt::format("{:.1f}", 100 * interval->confidence) : "-",
          contrast.test ? fmt::format("{}", contrast.test->u) : "-",
          shown_p(contrast.test),
          std::string(to_string(contrast.verdict))};
}

std::vector<std::string> cells(const PointComparison& point, const char* of,
                               const Contrast& contrast) {
  std::vector<std::string> line = cells_of(point, of, contrast);
  for (const std::string_view name : kBeside) {
    for (const record::Row* const row : {point.row_a, point.row_b}) {
      line.push_back(cell(metric(name), *row));
    }
  }
  line.push_back(shown_flags(point.flags_a));
  line.push_back(shown_flags(point.flags_b));
  return line;
}

using Lines = std::vector<std::vector<std::string>>;

/// All columns, as wide as they are; or those that answer the question.
std::string table_of(const Lines& lines, bool wide) {
  std::vector<text::Heading> headings;
  Lines shown(lines.size());
  for (std::size_t i = 0; i < kComparisonColumns.size(); ++i) {
    if (kComparisonColumns[i].wide && !wide) continue;
    headings.push_back(kComparisonColumns[i].heading);
    for (std::size_t row = 0; row < lines.size(); ++row) shown[row].push_back(lines[row][i]);
  }
  return wide ? "#\n" + text::format_columns(headings, std::move(shown), {.width = 0})
              : text::format_brief(headings, shown, {.breaks_words = true});
}

std::string title_line(char side, const record::StoredRun& run) {
  const std::string text = fmt::format("{}: {}, {}, {}, {}", side, run.name, run.started,
                                       to_string(run.status), run.folder.string());
  return fmt::format("# {}\n", text::plain_line(text));
}

std::string mean_line(const char* of, const std::optional<double>& mean) {
  return mean ? fmt::format("# geometric mean of the {} ratios: {:.4f}\n", of, *mean) : "";
}

std::string footer(const RunComparison& comparison) {
  std::string text = "#\n" + mean_line("gst", comparison.mean_gst_ratio()) +
                     mean_line("iter", comparison.mean_iteration_ratio());
  for (const record::Configuration& point : comparison.only_a) {
    text += fmt::format("# only in A: {}\n", text::plain_line(record::point_name(point)));
  }
  for (const record::Configuration& point : comparison.only_b) {
    text += fmt::format("# only in B: {}\n", text::plain_line(record::point_name(point)));
  }
  for (const Difference& difference : comparison.differences) {
    const bool refuse = difference.severity == Severity::refuse;
    text +=
        fmt::format("# {}: {}\n", refuse ? "cannot be compared" : "differs", difference.message());
  }
  std::set<std::string> marks;
  for (const PointComparison& point : comparison.points) {
    marks.insert(point.flags_a.begin(), point.flags_a.end());
    marks.insert(point.flags_b.begin(), point.flags_b.end());
  }
  for (const std::string& flag : marks) {
    text += fmt::format("# {}: {}\n", text::plain_line(flag), record::explain_flag(flag));
  }
  return text;
}

/// The case that the runs can be compared. A refusing difference is its error unless `anyway`.
JunitCase comparable_case(const RunComparison& comparison, bool anyway) {
  JunitCase comparable{.name = "the runs can be compared"};
  for (const Difference& difference : comparison.differences) {
    if (anyway || difference.severity != Severity::refuse) continue;
    comparable.result = JunitCase::Result::error;
    if (!comparable.message.empty()) comparable.message += "\n";
    comparable.message += difference.message();
  }
  return comparable;
}

}  // namespace

std::string format_comparison(const RunComparison& comparison, bool wide) {
  Lines lines;
  for (const PointComparison& point : comparison.points) {
    lines.push_back(cells(point, "gst", point.gst));
    if (point.iteration) lines.push_back(cells(point, "iter", *point.iteration));
  }
  return fmt::format("{}{}{}#\n{}{}# Times are divided by the dilation.\n{}{}",
                     title_line('A', comparison.a), title_line('B', comparison.b),
                     table_of(lines, wide), kComparisonDefinitions, wide ? kWideDefinitions : "",
                     wide ? "" : kMoreColumns, footer(comparison));
}

JunitSuite junit_of_comparison(const RunComparison& comparison,
                               std::span<const GateFailure> failures, bool anyway) {
  using Result = JunitCase::Result;
  JunitSuite suite{.name = comparison.b.name, .started = comparison.b.started};
  suite.properties = junit_properties(comparison.a.context, "a.");
  for (auto& property : junit_properties(comparison.b.context, "b.")) {
    suite.properties.push_back(std::move(property));
  }
  suite.cases.push_back(comparable_case(comparison, anyway));
  const auto add = [&](const record::Configuration& configuration, JunitCase made) {
    const auto failure = std::ranges::find(failures, configuration, &GateFailure::configuration);
    if (failure != failures.end()) {
      made.result = Result::failure;
      made.message = failure->reason;
    }
    suite.cases.push_back(std::move(made));
  };
  for (const PointComparison& point : comparison.points) {
    JunitCase made{.name = record::point_name(point.configuration), .time = point.measured};
    if (point.wrong != 0) {
      made.result = Result::failure;
      made.message = fmt::format("{} elements are not the exact sum", point.wrong);
    }
    add(point.configuration, std::move(made));
  }
  for (const record::Configuration& missing : comparison.only_a) {
    add(missing,
        {.name = record::point_name(missing), .result = Result::skipped, .message = "not in B"});
  }
  return suite;
}

}  // namespace gradwire::report
