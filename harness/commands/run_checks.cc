#include "harness/commands/run_checks.h"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/text/output_file.h"
#include "results/report/junit.h"
#include "results/report/run_text.h"

namespace gradwire::commands {
namespace {

/// The message of an exception; nothing without one.
std::optional<std::string> message_of(const std::exception_ptr& failure) {
  if (!failure) return std::nullopt;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

void add_check_options(CLI::App& app, RunCheckOptions& options) {
  app.add_option("--min-eff", options.min_efficiency,
                 "exit with 4 when a point's eff is below this, such as 90% or 0.9");
  app.add_option("--junit", options.junit, "write JUnit XML to this file")->type_name("FILE");
}

RunChecks::RunChecks(const RunCheckOptions& options) {
  if (options.min_efficiency) {
    gate_ = report::Gate{.min_efficiency = report::parse_efficiency(*options.min_efficiency)};
  }
  if (options.junit) {
    text::check_writable("--junit", *options.junit);
    junit_ = *options.junit;
  }
}

void RunChecks::plan(const run::PreparedPoints& points) {
  planned_.clear();
  for (const auto* backing : {&points.emulated, &points.hosts, &points.simulated}) {
    for (const run::PreparedPoint& point : *backing) planned_.push_back(point.configuration);
  }
}

bool RunChecks::apply(const record::StoredRun& run, const std::exception_ptr& failure) const {
  const std::vector<record::Row> rows = report::rows_of(run);
  std::vector<report::GateFailure> failed;
  if (gate_) failed = report::failures(*gate_, rows);
  for (const report::GateFailure& point : failed) {
    fmt::print(stderr, "gradwire: error: {}\n", point.message());
  }
  if (junit_) {
    text::write_output_file(
        *junit_,
        report::format_junit(report::junit_of_run({.context = run.context,
                                                   .planned = planned_,
                                                   .rows = rows,
                                                   .failures = failed,
                                                   .ended_because = message_of(failure)})));
  }
  return failed.empty();
}

}  // namespace gradwire::commands
