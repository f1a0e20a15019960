#pragma once

#include <exception>

#include "harness/commands/run_checks.h"
#include "harness/experiment/experiment.h"
#include "harness/run/backings/run.h"
#include "results/record/run_folder.h"
#include "results/report/run_text.h"

/// Measuring and printing of `gradwire run`.
namespace gradwire::commands {

/// Prints a run from its folder, so that the output is what is kept: writes results.json, prints
/// the table and what the folder lacks, and applies the checks. `failure` is why measuring ended
/// early. Returns the exit code that the results earn. Throws SystemError, also when standard
/// output cannot take the table.
int print_results(const experiment::Experiment& experiment, const record::RunFolder& folder,
                  const RunChecks& checks, const report::RunForm& form = {},
                  const std::exception_ptr& failure = nullptr);

/// Measures what is left of an experiment, in a sandbox if something is emulated, and prints what
/// the folder then has, also when measuring ends early. From the first call on, SIGINT, SIGTERM and
/// SIGHUP end measuring in good order. Returns the exit code. Throws SystemError when there can be no
/// sandbox.
[[nodiscard]] int measure(const run::RunParts& parts, const RunChecks& checks,
                          const report::RunForm& form);

}  // namespace gradwire::commands
