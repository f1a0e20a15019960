#include "harness/commands/run.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/caretaker.h"
#include "core/error.h"
#include "core/text/output_file.h"
#include "harness/commands/dry_run.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/measure_run.h"
#include "harness/commands/override_options.h"
#include "harness/commands/run_checks.h"
#include "harness/commands/table_options.h"
#include "harness/experiment/experiment.h"
#include "harness/run/backings/run.h"
#include "harness/run/context.h"
#include "harness/run/libraries.h"
#include "harness/run/machine_needs.h"
#include "harness/run/points_of_part.h"
#include "harness/run/prepare.h"
#include "harness/run/resumption.h"
#include "harness/run/verification.h"
#include "harness/workers/preflight.h"
#include "results/record/build_info.h"
#include "results/record/run_folder.h"
#include "results/record/stored_run.h"
#include "results/record/sweep_part.h"
#include "results/report/run_text.h"
#include "testbed/rdma_link.h"

namespace gradwire::commands {
namespace {

struct RunRequest {
  std::optional<std::string> file;
  std::optional<std::string> out;
  std::optional<std::string> resume;
  std::optional<std::string> points;  ///< part of the points
  bool dry_run = false;
  std::optional<std::string> trace;   ///< file that a trace is written to
  std::optional<std::string> traced;  ///< traced iterations; absent: the first measured one
  RunCheckOptions checks;
  report::RunForm form;
  experiment::Overrides overrides;
  std::vector<std::string> arguments;
};

std::optional<run::TraceRequest> trace_of(const RunRequest& request,
                                          const experiment::Experiment& experiment) {
  if (!request.trace) {
    if (request.traced) throw InputError("--trace-iterations needs --trace");
    return std::nullopt;
  }
  text::check_writable("--trace", *request.trace);
  run::TraceRequest trace{.path = *request.trace,
                          .window = {.first = experiment.warmup, .last = experiment.warmup}};
  if (request.traced && !experiment::runs_on(experiment, record::Backing::emulated) &&
      !experiment::runs_on(experiment, record::Backing::hosts)) {
    throw InputError("--trace-iterations: a simulation has one iteration, which --trace shows");
  }
  if (request.traced) trace.window = report::parse_trace_window(*request.traced);
  if (trace.window.first >= experiment.warmup + experiment.iterations) {
    throw InputError(fmt::format("--trace-iterations: there are iterations 0 to {}",
                                 experiment.warmup + experiment.iterations - 1));
  }
  return trace;
}

run::RunIdentity identity_of(const RunRequest& request, const experiment::Experiment& experiment,
                             const experiment::Overrides& overrides, std::size_t planned) {
  return {.planned = planned,
          .arguments = request.arguments,
          .started = std::chrono::system_clock::now(),
          .experiment = experiment,
          .overrides = overrides};
}

/// Checks what an emulation needs of the kernel and not every kernel has.
void require_kernel(const experiment::Experiment& experiment, const run::PreparedPoints& prepared) {
  const bool rdma = execution::needs_rdma(experiment.transport.kind) && !prepared.emulated.empty();
  if (!rdma || testbed::rxe_available()) return;
  throw workers::Preflight(fmt::format(
      "transport {} needs Soft-RoCE devices in network namespaces: root, and Linux 7.2 or newer "
      "with rdma_rxe; make roce runs in a virtual machine that has both",
      to_string(experiment.transport.kind)));
}

/// Checks what the hosts were found to be when they were set up, before they are reached. Whether
/// they were restarted since, they say themselves (harness/run/hosts/hosts_backing.h).
void require_verified(const experiment::Experiment& experiment,
                      const run::PreparedPoints& prepared) {
  if (prepared.hosts.empty() || prepared.inventory->verification.empty()) return;
  if (!prepared.verification) {
    fmt::print(stderr, "gradwire: warning: there is no {}: verify.yml has not passed these hosts\n",
               prepared.inventory->verification);
    return;
  }
  if (experiment.hosts->ignores_verification) return;
  for (const run::PreparedPoint& point : prepared.hosts) {
    const std::vector<std::string> found =
        run::objections(*prepared.verification, *prepared.inventory, point.configuration.wiring);
    if (!found.empty())
      throw workers::Preflight(run::format_objections(*prepared.verification, found));
  }
}

/// Warns about requirements on the hosts' networks that cannot be checked from here.
void warn_of_strangers(const experiment::Experiment& experiment,
                       const run::PreparedPoints& prepared) {
  const auto warning = execution::warning_of_strangers(experiment.transport.kind);
  if (prepared.hosts.empty() || !warning) return;
  fmt::print(stderr, "gradwire: warning: {}\n", *warning);
}

/// Checks everything that must hold before anything is built or reached. `prepared` has the points
/// that are still to be run.
void require_ready(const experiment::Experiment& experiment, const run::PreparedPoints& prepared) {
  require_kernel(experiment, prepared);
  require_verified(experiment, prepared);
  warn_of_strangers(experiment, prepared);
}

/// The part that the command line asks for; nothing when it asks for all points.
std::optional<record::SweepPart> part_of(const RunRequest& request) try {
  if (!request.points) return std::nullopt;
  return record::parse_sweep_part(*request.points);
} catch (const InputError& error) {
  throw InputError(fmt::format("--points: {}", error.what()));
}

/// Keeps only the points of a part, and says so where it has none.
record::PartRecord keep_points(const experiment::Experiment& experiment,
                               const record::SweepPart& part, run::PreparedPoints& prepared) try {
  record::PartRecord record = run::keep_part(experiment, part, prepared);
  if (prepared.size() == 0) {
    fmt::print(stderr, "gradwire: part {} has no points: the experiment has {}\n", to_string(part),
               experiment.points.size());
  }
  return record;
} catch (const InputError& error) {
  throw InputError(fmt::format("--points: {}", error.what()));
}

int run_anew(const RunRequest& request) {
  const std::optional<record::SweepPart> part = part_of(request);
  const experiment::Experiment experiment =
      experiment::apply(experiment::load_experiment(*request.file), request.overrides);
  static_cast<void>(trace_of(request, experiment));
  RunChecks checks(request.checks);
  experiment::check_backings(experiment);
  run::PreparedPoints prepared = run::prepare_all(experiment);
  std::optional<record::PartRecord> kept;
  if (part) kept = keep_points(experiment, *part, prepared);
  run::require_libraries(experiment, prepared, record::build_info().libraries);
  run::require_room(experiment, prepared.emulated);
  checks.plan(prepared);
  if (request.dry_run) {
    print_dry_run(experiment, prepared, part);
    return kExitOk;
  }
  require_ready(experiment, prepared);
  run::RunIdentity identity = identity_of(request, experiment, request.overrides, prepared.size());
  identity.part = kept;
  record::RunFolder::Options options{
      .name = experiment.name, .started = identity.started, .experiment = experiment.text};
  if (request.out) options.out = *request.out;
  record::RunFolder folder = record::RunFolder::create(options, run::run_context(identity));
  const run::Resumption nothing;
  return measure({.experiment = experiment,
                  .points = prepared,
                  .folder = folder,
                  .resumption = nothing,
                  .trace = trace_of(request, experiment)},
                 checks, request.form);
}

/// Removes points that are done. Throws InputError when this program cannot run the rest.
void leave_undone(const record::StoredRun& before, const experiment::Experiment& experiment,
                  run::PreparedPoints& prepared) {
  run::remove_done(before, experiment, prepared);
  run::require_libraries(experiment, prepared, record::build_info().libraries);
  run::require_room(experiment, prepared.emulated);
  run::require_findings(before, prepared);
}

/// Refuses options that a resumed run has of its own.
void require_nothing_else(const RunRequest& request) {
  if (!request.file && !request.out && !request.points) return;
  throw InputError(
      "--resume goes on with the folder's own experiment and part: leave out FILE, --out and "
      "--points");
}

/// Reads a run to resume, as far as it came.
record::StoredRun read_before(const std::string& folder) {
  record::StoredRun before = record::read_run(folder);
  fmt::print(stderr, "{}", report::format_problems(before));
  run::require_own_points(before);
  return before;
}

int run_again(const RunRequest& request) {
  require_nothing_else(request);
  RunChecks checks(request.checks);
  record::require_run_folder(*request.resume);
  std::optional<record::RunFolder> folder;  // nobody else goes on with it from here
  if (!request.dry_run) folder = record::RunFolder::resume(*request.resume);
  const record::StoredRun before = read_before(*request.resume);
  const run::ResumedExperiment resumed = run::resume_experiment(before, request.overrides);
  static_cast<void>(trace_of(request, resumed.experiment));
  run::PreparedPoints prepared = run::prepare_all(resumed.experiment);
  run::keep_part_of(before, resumed.experiment, prepared);
  checks.plan(prepared);
  const std::size_t planned = prepared.size();
  leave_undone(before, resumed.experiment, prepared);
  if (request.dry_run) {
    print_dry_run(resumed.experiment, prepared);
    return kExitOk;
  }
  require_ready(resumed.experiment, prepared);
  const std::vector<record::PointRecord> longer = run::extended(before, resumed);
  if (prepared.size() == 0 && longer.empty()) {
    fmt::print(stderr, "gradwire: nothing is left to be measured\n");
    return print_results(resumed.experiment, *folder, checks, request.form);
  }
  folder->begin_attempt(resumed.attempt);
  folder->write_context(run::resumed_context(
      before.context, identity_of(request, resumed.experiment, resumed.overrides, planned)));
  for (const record::PointRecord& record : longer) folder->begin(record);
  const run::Resumption resumption(before);
  return measure({.experiment = resumed.experiment,
                  .points = prepared,
                  .folder = *folder,
                  .resumption = resumption,
                  .findings = run::link_findings(before.calibration),
                  .trace = trace_of(request, resumed.experiment)},
                 checks, request.form);
}

int run(const RunRequest& request) {
  if (!request.file && !request.resume) {
    throw InputError("give an experiment file, or --resume with a run folder");
  }
  std::optional<Caretaker> caretaker;
  if (!request.dry_run) caretaker.emplace();
  return request.resume ? run_again(request) : run_anew(request);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Measures an experiment and prints its table");
  auto request = std::make_shared<RunRequest>();
  command->add_option("file", request->file, "experiment file (YAML)")->type_name("FILE");
  command->add_option("-o,--out", request->out, "run folder; must not exist or be empty")
      ->type_name("FOLDER");
  command
      ->add_option("--resume", request->resume,
                   "go on with the run in this folder, where it stopped")
      ->type_name("FOLDER");
  command
      ->add_option(
          "--points", request->points,
          "run the i-th of n parts of the points, such as 2/8; gradwire results merge puts "
          "all of them together")
      ->type_name("I/N");
  command->add_flag("--dry-run", request->dry_run,
                    "check everything, print the points, run nothing");
  command
      ->add_option("--trace", request->trace,
                   "write a Chrome trace, which Perfetto opens, to this file")
      ->type_name("FILE");
  command->add_option("--trace-iterations,--trace-steps", request->traced,
                      "which iterations, such as 10:20, warm-up included; default: the first "
                      "measured one");
  add_table_options(*command, request->form);
  add_check_options(*command, request->checks);
  add_override_options(*command, request->overrides);
  command->callback([request, command, &exit_code] {
    request->arguments = {"gradwire", "run"};
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& text : option->results()) {
        if (!option->get_positional()) request->arguments.push_back(option->get_name());
        request->arguments.push_back(text);
      }
    }
    exit_code = run(*request);
  });
}

}  // namespace gradwire::commands
