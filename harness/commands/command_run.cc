#include "harness/commands/command_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "harness/campaign.h"
#include "harness/commands/run_checks.h"
#include "harness/exit_code.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/overrides.h"
#include "harness/file.h"
#include "harness/hosts/verification.h"
#include "harness/interrupt.h"
#include "harness/measurement.h"
#include "harness/preflight.h"
#include "harness/report/context.h"
#include "harness/report/run_text.h"
#include "harness/resumption.h"
#include "harness/store/run_folder.h"
#include "harness/store/stored_run.h"
#include "testbed/rdma_link.h"
#include "testbed/sandbox.h"

namespace gradwire::harness {
namespace {

constexpr int kExitInterrupted = 130;  // as a shell reports SIGINT

struct RunRequest {
  std::optional<std::string> file;
  std::optional<std::string> out;
  std::optional<std::string> resume;
  bool dry_run = false;
  std::optional<std::string> trace;   ///< where a trace is written
  std::optional<std::string> traced;  ///< which iterations; absent: the first measured one
  RunCheckOptions checks;
  Overrides overrides;
  std::vector<std::string> arguments;
};

void print_points(const std::vector<PreparedPoint>& points) {
  for (const PreparedPoint& point : points) {
    const Configuration& c = point.configuration;
    const bool measured = c.backing != kSimulated;
    fmt::print("  {:>5} {:9} {:18} {:24} {:16} {:>6} {:16} {:>5} {:>3} {:>12} {:>12} {:>10}\n",
               c.point, c.backing, c.wiring, c.algorithm, c.workload.empty() ? "-" : c.workload,
               c.batch == 0 ? "-" : fmt::to_string(c.batch), c.schedule, c.ranks, c.ports_per_host,
               c.bytes(), point.bound ? fmt::format("{:.1f}", point.bound->count() * 1e6) : "-",
               measured ? format_bytes(gradient_bytes(point)) : "-");
  }
}

void print_dry_run(const Experiment& experiment, const PreparedPoints& prepared) {
  fmt::print("# {}: {} points, {} + {} iterations each; nothing is run\n", experiment.name,
             experiment.points.size(), experiment.warmup, experiment.iterations);
  fmt::print("# {:>5} {:9} {:18} {:24} {:16} {:>6} {:16} {:>5} {:>3} {:>12} {:>12} {:>10}\n",
             "point", "backing", "wiring", "algo", "workload", "batch", "sched", "N", "k",
             "size(B)", "bound(us)", "memory");
  print_points(prepared.emulated);
  print_points(prepared.hosts);
  print_points(prepared.simulated);
}

/// Reads the folder back: what is printed is what is kept. Returns the exit code that it earns.
int finish(const Experiment& experiment, const RunFolder& folder, const RunChecks& checks,
           const std::exception_ptr& failure = nullptr) {
  const StoredRun stored = read_run(folder.path());
  const std::vector<Row> rows = rows_of(stored);
  folder.write_results(rows, experiment.comparison);
  print_problems(stored);
  fmt::print("{}", format_run(stored));
  if (!rows.empty() && experiment.comparison) {
    fmt::print("{}", format_gains(*experiment.comparison, rows));
  }
  const bool wrong =
      std::ranges::any_of(rows, [](const Row& row) { return row.wrong.value_or(0) != 0; });
  const bool passed = checks.apply(stored, failure);
  if (wrong) return kExitWrongData;
  if (!stored.problems.empty()) return kExitUsage;
  return passed ? kExitOk : kExitGate;
}

/// Measures and prints, also when measuring ends early.
int measure_and_report(Measurement& measurement, const Experiment& experiment,
                       const RunFolder& folder, const RunChecks& checks) try {
  std::exception_ptr failure;
  try {
    measurement.run();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) return finish(experiment, folder, checks);
  try {
    static_cast<void>(finish(experiment, folder, checks, failure));
  } catch (const std::exception& error) {  // the first failure is the one to end with
    fmt::print(stderr, "gradwire: error: {}\n", error.what());
  }
  std::rethrow_exception(failure);
} catch (const Interrupted&) {
  fmt::print(stderr, "gradwire: interrupted; go on with: gradwire run --resume {}\n",
             folder.path().string());
  return kExitInterrupted;
} catch (const std::exception& error) {
  fmt::print(stderr, "gradwire: error: {}\n", error.what());
  return exit_code_of(std::current_exception());
}

std::optional<TraceRequest> trace_of(const RunRequest& request, const Experiment& experiment) {
  if (!request.trace) {
    if (request.traced) throw InputError("--trace-iterations needs --trace");
    return std::nullopt;
  }
  check_writable("--trace", *request.trace);
  TraceRequest trace{.path = *request.trace,
                     .window = {.first = experiment.warmup, .last = experiment.warmup}};
  if (request.traced && !runs_on(experiment, kEmulated) && !runs_on(experiment, kHosts)) {
    throw InputError("--trace-iterations: a simulation has one iteration, which --trace shows");
  }
  if (request.traced) trace.window = parse_trace_window(*request.traced);
  if (trace.window.first >= experiment.warmup + experiment.iterations) {
    throw InputError(fmt::format("--trace-iterations: there are iterations 0 to {}",
                                 experiment.warmup + experiment.iterations - 1));
  }
  return trace;
}

RunIdentity identity_of(const RunRequest& request, const Experiment& experiment,
                        const Overrides& overrides, std::size_t planned) {
  return {.planned = planned,
          .arguments = request.arguments,
          .started = std::chrono::system_clock::now(),
          .experiment = experiment,
          .overrides = overrides};
}

int measure(const RunRequest& request, const Experiment& experiment, const PreparedPoints& prepared,
            RunFolder& folder, const StoredRun& before, const RunChecks& checks) {
  const std::optional<TraceRequest> trace = trace_of(request, experiment);
  const Resumption resumption(before);
  Measurement measurement(experiment, prepared, folder, resumption,
                          link_findings(before.calibration), trace);
  const auto run = [&] { return measure_and_report(measurement, experiment, folder, checks); };
  if (prepared.emulated.empty()) return run();
  return testbed::run_in_sandbox(run, {.machine_root = needs_rdma(experiment.transport.kind)});
}

/// What an emulation needs of the kernel and not every kernel has.
void require_kernel(const Experiment& experiment, const PreparedPoints& prepared) {
  const bool rdma = needs_rdma(experiment.transport.kind) && !prepared.emulated.empty();
  if (!rdma || testbed::rxe_available()) return;
  throw Preflight(fmt::format(
      "transport {} needs Soft-RoCE devices in network namespaces: root, and Linux 7.2 or newer "
      "with rdma_rxe; make roce runs in a virtual machine that has both",
      to_string(experiment.transport.kind)));
}

/// What the hosts were found to be when they were set up, before they are reached. Whether they
/// were restarted since, they say themselves (hosts/hosts_run.h).
void require_verified(const Experiment& experiment, const PreparedPoints& prepared) {
  if (prepared.hosts.empty() || prepared.inventory->verification.empty()) return;
  if (!prepared.verification) {
    fmt::print(stderr, "gradwire: warning: there is no {}: verify.yml has not passed these hosts\n",
               prepared.inventory->verification);
    return;
  }
  if (experiment.hosts->ignores_verification) return;
  for (const PreparedPoint& point : prepared.hosts) {
    const std::vector<std::string> found =
        objections(*prepared.verification, *prepared.inventory, point.point.wiring);
    if (!found.empty()) throw Preflight(format_objections(*prepared.verification, found));
  }
}

int run_anew(const RunRequest& request) {
  const Experiment experiment = apply(load_experiment(*request.file), request.overrides);
  static_cast<void>(trace_of(request, experiment));
  RunChecks checks(request.checks);
  check_backings(experiment);
  const PreparedPoints prepared = prepare_all(experiment);
  checks.plan(prepared);
  if (request.dry_run) {
    print_dry_run(experiment, prepared);
    return kExitOk;
  }
  require_kernel(experiment, prepared);
  require_verified(experiment, prepared);
  const RunIdentity identity = identity_of(request, experiment, request.overrides, prepared.size());
  RunFolder::Options options{
      .name = experiment.name, .started = identity.started, .experiment = experiment.text};
  if (request.out) options.out = *request.out;
  RunFolder folder = RunFolder::create(options, run_context(identity));
  return measure(request, experiment, prepared, folder, StoredRun{}, checks);
}

int run_again(const RunRequest& request) {
  if (request.file || request.out) {
    throw InputError("--resume goes on with the folder's own experiment: leave out FILE and --out");
  }
  RunChecks checks(request.checks);
  require_run_folder(*request.resume);
  std::optional<RunFolder> folder;  // nobody else goes on with it from here
  if (!request.dry_run) folder = RunFolder::resume(*request.resume);
  const StoredRun before = read_run(*request.resume);
  print_problems(before);
  const ResumedExperiment resumed = resume_experiment(before, request.overrides);
  static_cast<void>(trace_of(request, resumed.experiment));
  PreparedPoints prepared = prepare_all(resumed.experiment);
  checks.plan(prepared);
  const std::size_t planned = prepared.size();
  remove_done(before, resumed.experiment, prepared);
  require_findings(before, prepared);
  if (request.dry_run) {
    print_dry_run(resumed.experiment, prepared);
    return kExitOk;
  }
  require_kernel(resumed.experiment, prepared);
  require_verified(resumed.experiment, prepared);
  const std::vector<PointRecord> longer = extended(before, resumed);
  if (prepared.size() == 0 && longer.empty()) {
    fmt::print(stderr, "gradwire: nothing is left to be measured\n");
    return finish(resumed.experiment, *folder, checks);
  }
  folder->begin_session(resumed.session);
  folder->write_context(resumed_context(
      before.context, identity_of(request, resumed.experiment, resumed.overrides, planned)));
  for (const PointRecord& record : longer) folder->begin(record);
  return measure(request, resumed.experiment, prepared, *folder, before, checks);
}

int run(const RunRequest& request) {
  if (!request.file && !request.resume) {
    throw InputError("give an experiment file, or --resume with a run folder");
  }
  return request.resume ? run_again(request) : run_anew(request);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Measures an experiment and prints its table");
  auto request = std::make_shared<RunRequest>();
  command->add_option("file", request->file, "experiment file (YAML)");
  command->add_option("-o,--out", request->out, "run folder; must not exist or be empty");
  command->add_option("--resume", request->resume,
                      "go on with the run in this folder, where it stopped");
  command->add_flag("--dry-run", request->dry_run,
                    "check everything, print the points, run nothing");
  command->add_option("--trace", request->trace,
                      "write a Chrome trace, which Perfetto opens, to this file");
  command->add_option("--trace-iterations,--trace-steps", request->traced,
                      "which iterations, such as 10:20, warm-up included; default: the first "
                      "measured one");
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

}  // namespace gradwire::harness
