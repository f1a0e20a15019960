#include "harness/commands/measure_run.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/commands/exit_code.h"
#include "harness/workers/failure.h"
#include "harness/workers/interrupt.h"
#include "results/record/stored_run.h"
#include "results/report/results_json.h"
#include "results/report/run_text.h"
#include "testbed/memory_kills.h"
#include "testbed/sandbox.h"

namespace gradwire::commands {
namespace {

/// Measures and prints, also when measuring ends early.
int measure_and_report(run::Run& measurement, const experiment::Experiment& experiment,
                       const record::RunFolder& folder, const RunChecks& checks,
                       const report::RunForm& form) try {
  std::exception_ptr failure;
  try {
    measurement.run();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) return print_results(experiment, folder, checks, form);
  try {
    static_cast<void>(print_results(experiment, folder, checks, form, failure));
  } catch (const std::exception& error) {  // the first failure is the one to end with
    fmt::print(stderr, "gradwire: error: {}\n", error.what());
  }
  std::rethrow_exception(failure);
} catch (const workers::Interrupted& interrupted) {
  fmt::print(stderr, "gradwire: interrupted; go on with: gradwire run --resume {}\n",
             folder.path().string());
  return kSignalled + interrupted.signal();
} catch (const std::exception& error) {
  fmt::print(stderr, "gradwire: error: {}\n", workers::describe_failure(error).message);
  return exit_code_of(std::current_exception());
}

}  // namespace

int print_results(const experiment::Experiment& experiment, const record::RunFolder& folder,
                  const RunChecks& checks, const report::RunForm& form,
                  const std::exception_ptr& failure) {
  const record::StoredRun stored = record::read_run(folder.path());
  const std::vector<record::Row> rows = report::rows_of(stored);
  folder.write_results(report::results_json(rows, experiment.gains));
  fmt::print(stderr, "{}", report::format_problems(stored));
  fmt::print("{}", report::format_run(stored, form, experiment.gains));
  const bool wrong =
      std::ranges::any_of(rows, [](const record::Row& row) { return row.wrong.value_or(0) != 0; });
  const bool passed = checks.apply(stored, failure);
  if (wrong) return kExitWrongData;
  if (!stored.problems.empty()) return kExitUsage;
  // Here, since no later code looks at what the process of a sandbox has printed.
  if (std::fflush(stdout) != 0) throw SystemError("write to stdout", errno);
  return passed ? kExitOk : kExitGate;
}

int measure(const run::RunParts& parts, const RunChecks& checks, const report::RunForm& form) {
  workers::note_interrupts();  // before there is a sandbox, whose first process they could not end
  run::Run measurement(parts);
  const auto run = [&] {
    return measure_and_report(measurement, parts.experiment, parts.folder, checks, form);
  };
  if (parts.points.emulated.empty()) return run();
  const bool rdma = execution::needs_rdma(parts.experiment.transport.kind);
  const testbed::MemoryKills memory_kills;
  const testbed::Ending ending = testbed::run_in_sandbox(run, {.machine_root = rdma});
  if (!ending.signal) return ending.exit_code;
  fmt::print(
      stderr,
      "gradwire: error: the process that measures {}; go on with: gradwire run --resume {}\n",
      memory_kills.explain(ending), parts.folder.path().string());
  return kExitRunFailed;
}

}  // namespace gradwire::commands
