#include "harness/commands/compare.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/output_file.h"
#include "core/text/text_check.h"
#include "harness/commands/exit_code.h"
#include "results/record/stored_run.h"
#include "results/report/compare/comparison_json.h"
#include "results/report/compare/comparison_report.h"
#include "results/report/compare/ratio_gate.h"
#include "results/report/compare/run_comparison.h"
#include "results/report/junit.h"
#include "results/report/run_text.h"

namespace gradwire::commands {
namespace {

struct CompareRequest {
  std::string a;
  std::string b;
  std::optional<double> max_gst_ratio;
  bool anyway = false;
  bool json = false;
  bool wide = false;
  std::optional<std::string> junit;
};

void complain(const std::string& message) {
  fmt::print(stderr, "gradwire: error: {}\n", text::plain_line(message));
}

void print_refusal(const report::RunComparison& comparison) {
  for (const report::Difference& difference : comparison.differences) {
    complain((difference.severity == report::Severity::refuse ? "cannot be compared: "
                                                              : "also differs: ") +
             difference.message());
  }
  complain("nothing is compared; --anyway does it nevertheless");
}

void print_comparison(const CompareRequest& request, const report::RunComparison& comparison,
                      const std::vector<report::GateFailure>& failures) {
  if (request.json) {
    std::optional<report::AppliedGate> gate;
    if (request.max_gst_ratio) gate = {*request.max_gst_ratio, failures};
    fmt::print(
        "{}\n",
        to_json(comparison, gate).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}", report::format_comparison(comparison, request.wide));
  }
}

int compare(const CompareRequest& request) {
  if (request.max_gst_ratio &&
      !(*request.max_gst_ratio > 0 && std::isfinite(*request.max_gst_ratio))) {
    throw InputError("--max-gst-ratio: must be above 0, such as 1.05");
  }
  if (request.junit) text::check_writable("--junit", *request.junit);
  const record::StoredRun a = record::read_run(request.a);
  const record::StoredRun b = record::read_run(request.b);
  const report::RunComparison comparison = report::compare_runs(a, b);
  const bool refused = comparison.refused() && !request.anyway;
  std::vector<report::GateFailure> failures;
  if (request.max_gst_ratio && !refused) {
    failures = report::ratio_failures(comparison, *request.max_gst_ratio);
  }
  if (request.json || !refused) print_comparison(request, comparison, failures);
  if (refused) print_refusal(comparison);
  for (const report::GateFailure& failure : failures) complain(failure.message());
  if (request.junit) {
    text::write_output_file(*request.junit, report::format_junit(report::junit_of_comparison(
                                                comparison, failures, request.anyway)));
  }
  fmt::print(stderr, "{}", report::format_problems(a));
  fmt::print(stderr, "{}", report::format_problems(b));
  if (comparison.wrong_data()) return kExitWrongData;
  if (!a.problems.empty() || !b.problems.empty()) return kExitUsage;
  if (refused) return kExitPreflight;
  return failures.empty() ? kExitOk : kExitGate;
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("compare", "Compares two runs: ratio, confidence interval, rank test");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->a, "run folder: before")->required()->type_name("FOLDER");
  command->add_option("B", request->b, "run folder: after")->required()->type_name("FOLDER");
  command->add_option("--max-gst-ratio", request->max_gst_ratio,
                      "exit with 4 when GST in B over GST in A is above this for a point, or B "
                      "lacks the point");
  command->add_flag("--anyway", request->anyway,
                    "compare the runs even if they are not comparable");
  command->add_flag("--json", request->json, "print one JSON document instead of a table");
  command->add_flag("--wide", request->wide, "print all columns");
  command->add_option("--junit", request->junit, "write JUnit XML to this file")->type_name("FILE");
  command->callback([request, &exit_code] { exit_code = compare(*request); });
}

}  // namespace gradwire::commands
