#include "harness/commands/command_run.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/error.h"
#include "harness/campaign.h"
#include "harness/emulated/emulated_run.h"
#include "harness/exit_code.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/overrides.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/report/backing_table.h"
#include "harness/report/context.h"
#include "harness/report/cost_table.h"
#include "harness/report/run_folder.h"
#include "harness/report/table.h"
#include "harness/report/trace_file.h"
#include "harness/report/training_table.h"
#include "harness/simulated/simulated_run.h"
#include "testbed/sandbox.h"

namespace gradwire::harness {
namespace {

constexpr int kExitInterrupted = 130;  // as a shell reports SIGINT

struct RunRequest {
  std::string file;
  std::optional<std::string> out;
  bool dry_run = false;
  std::optional<std::string> trace;   ///< where a trace is written
  std::optional<std::string> traced;  ///< which iterations; absent: the first measured one
  Overrides overrides;
  std::vector<std::string> arguments;
};

struct TraceRequest {
  std::filesystem::path path;
  TraceWindow window;
};

/// An experiment's points, made ready for each of its backings.
struct Prepared {
  std::vector<PreparedPoint> emulated;
  std::vector<PreparedPoint> simulated;
};

Prepared prepare_all(const Experiment& experiment) {
  Prepared prepared;
  if (runs_on(experiment, kEmulated)) prepared.emulated = prepare(experiment, kEmulated);
  if (runs_on(experiment, kSimulated)) prepared.simulated = prepare(experiment, kSimulated);
  return prepared;
}

void print_points(const std::vector<PreparedPoint>& points) {
  for (const PreparedPoint& point : points) {
    const Configuration& c = point.configuration;
    const bool emulated = c.backing == kEmulated;
    fmt::print("  {:>5} {:9} {:18} {:24} {:16} {:>6} {:16} {:>5} {:>3} {:>12} {:>12} {:>10}\n",
               c.point, c.backing, c.wiring, c.algorithm, c.workload.empty() ? "-" : c.workload,
               c.batch == 0 ? "-" : fmt::to_string(c.batch), c.schedule, c.ranks, c.ports_per_host,
               c.bytes(), emulated ? fmt::format("{:.1f}", point.bound.count() * 1e6) : "-",
               emulated ? format_bytes(gradient_bytes(point)) : "-");
  }
}

void print_dry_run(const Experiment& experiment, const Prepared& prepared) {
  fmt::print("# {}: {} points, {} + {} iterations each; nothing is run\n", experiment.name,
             experiment.points.size(), experiment.warmup, experiment.iterations);
  fmt::print("# {:>5} {:9} {:18} {:24} {:16} {:>6} {:16} {:>5} {:>3} {:>12} {:>12} {:>10}\n",
             "point", "backing", "wiring", "algo", "workload", "batch", "sched", "N", "k",
             "size(B)", "bound(us)", "memory");
  print_points(prepared.emulated);
  print_points(prepared.simulated);
}

std::string title_of(const Experiment& experiment, std::optional<double> dilation,
                     const RunFolder& folder) {
  const std::string startup =
      experiment.startup > Seconds(0)
          ? fmt::format(", start-up {:g} us a message", experiment.startup.count() * 1e6)
          : "";
  const std::string delay = experiment.delay > Seconds(0)
                                ? fmt::format(", {:g} us a cable", experiment.delay.count() * 1e6)
                                : "";
  return fmt::format(
      "{}: links of {}, {}{}{}{}\nrun folder: {}", experiment.name, to_string(experiment.rate),
      experiment.headers ? fmt::format("MTU {}", experiment.mtu) : "no headers", startup, delay,
      dilation ? fmt::format(", time dilation {:g}", *dilation) : ", virtual time",
      folder.path().string());
}

/// What a run has found so far.
struct Found {
  std::vector<Row> rows;
  std::optional<double> dilation;  ///< of an emulation

  void add(std::span<const Row> more) { rows.insert(rows.end(), more.begin(), more.end()); }
};

/// Writes and prints what was measured. Returns the exit code that it earns.
int finish(const Experiment& experiment, Found found, const RunFolder& folder) {
  std::vector<Row>& rows = found.rows;
  add_wiring_costs(experiment, rows);
  folder.write_results(rows, experiment.comparison);
  if (!rows.empty()) {
    fmt::print("{}", format_table(rows, title_of(experiment, found.dilation, folder)));
    fmt::print("{}", format_training_table(rows));
    fmt::print("{}", format_backing_table(rows));
    fmt::print("{}", format_cost_table(experiment, rows));
    if (experiment.comparison) fmt::print("{}", format_gains(*experiment.comparison, rows));
  }
  for (const Row& row : rows) {
    if (row.wrong.value_or(0) != 0) return kExitWrongData;
  }
  return kExitOk;
}

Progress::Options progress_options(std::size_t steps, std::size_t parts) {
  return {.total = steps * parts,
          .parts = parts,
          .live = is_live_terminal(STDERR_FILENO),
          .width = terminal_width(STDERR_FILENO)};
}

/// One run of a command: each backing in turn, and what came of it even when one fails.
class Measurement {
 public:
  Measurement(const Experiment& experiment, const Prepared& prepared, RunFolder& folder,
              const std::optional<TraceRequest>& trace)
      : experiment_(experiment), prepared_(prepared), folder_(folder), trace_(trace) {}

  /// Inside the sandbox if there is an emulation.
  int run() {
    note_interrupts();
    std::exception_ptr failure;
    try {
      if (!prepared_.emulated.empty()) emulate();
      if (!prepared_.simulated.empty()) simulate();
    } catch (...) {
      failure = std::current_exception();
    }
    const int exit_code = finish(experiment_, std::move(found_), folder_);
    if (failure) std::rethrow_exception(failure);
    if (trace_) trace_file_.write(trace_->path);
    return exit_code;
  }

 private:
  void emulate() {
    const std::size_t iterations = experiment_.warmup + experiment_.iterations;
    Progress progress(std::cerr, clock_,
                      progress_options(prepared_.emulated.size() * iterations, 1));
    std::optional<EmulatedRun::Tracing> tracing;
    if (trace_) tracing.emplace(trace_file_, trace_->window);
    EmulatedRun run(experiment_, prepared_.emulated, folder_, progress, clock_, tracing);
    measure(run, progress, [&] { found_.dilation = run.dilation(); });
    findings_ = run.findings();
  }

  void simulate() {
    Progress progress(std::cerr, clock_,
                      progress_options(prepared_.simulated.size(), SimulatedRun::kSteps));
    SimulatedRun run(experiment_, prepared_.simulated, folder_, progress, findings_,
                     trace_ ? &trace_file_ : nullptr);
    measure(run, progress, [] {});
  }

  /// Keeps what was measured, and whatever else `keep` does, also when measuring fails.
  template <class Run, class Keep>
  void measure(Run& run, Progress& progress, Keep keep) {
    std::exception_ptr failure;
    try {
      run.measure();
    } catch (...) {
      failure = std::current_exception();
    }
    progress.clear();
    keep();
    found_.add(run.rows());
    if (failure) std::rethrow_exception(failure);
  }

  const Experiment& experiment_;
  const Prepared& prepared_;
  RunFolder& folder_;
  const std::optional<TraceRequest>& trace_;
  SteadyClock clock_;
  TraceFile trace_file_;
  SimulatedRun::Findings findings_;
  Found found_;
};

int measure_and_report(const Experiment& experiment, const Prepared& prepared, RunFolder& folder,
                       const std::optional<TraceRequest>& trace) {
  try {
    return Measurement(experiment, prepared, folder, trace).run();
  } catch (const Interrupted&) {
    fmt::print(stderr, "gradwire: interrupted; what was measured is in {}\n",
               folder.path().string());
    return kExitInterrupted;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gradwire: error: {}\n", error.what());
    return exit_code_of(std::current_exception());
  }
}

std::optional<TraceRequest> trace_of(const RunRequest& request, const Experiment& experiment) {
  if (!request.trace) {
    if (request.traced) throw InputError("--trace-iterations needs --trace");
    return std::nullopt;
  }
  const std::filesystem::path folder = std::filesystem::absolute(*request.trace).parent_path();
  if (::access(folder.c_str(), W_OK) != 0) {
    throw InputError(fmt::format("--trace: cannot write into {}", folder.string()));
  }
  TraceRequest trace{.path = *request.trace,
                     .window = {.first = experiment.warmup, .last = experiment.warmup}};
  if (request.traced && !runs_on(experiment, kEmulated)) {
    throw InputError("--trace-iterations: a simulation has one iteration, which --trace shows");
  }
  if (request.traced) trace.window = parse_trace_window(*request.traced);
  if (trace.window.first >= experiment.warmup + experiment.iterations) {
    throw InputError(fmt::format("--trace-iterations: there are iterations 0 to {}",
                                 experiment.warmup + experiment.iterations - 1));
  }
  return trace;
}

int run(const RunRequest& request) {
  const auto started = std::chrono::system_clock::now();
  const Experiment experiment = apply(load_experiment(request.file), request.overrides);
  const std::optional<TraceRequest> trace = trace_of(request, experiment);
  check_backings(experiment);
  const Prepared prepared = prepare_all(experiment);
  if (request.dry_run) {
    print_dry_run(experiment, prepared);
    return kExitOk;
  }
  RunFolder::Options options{
      .name = experiment.name, .started = started, .experiment = experiment.text};
  if (request.out) options.out = *request.out;
  RunFolder folder = RunFolder::create(options, run_context({.arguments = request.arguments,
                                                             .started = started,
                                                             .experiment = experiment,
                                                             .overrides = request.overrides}));
  const auto measure = [&] { return measure_and_report(experiment, prepared, folder, trace); };
  return prepared.emulated.empty() ? measure() : testbed::run_in_sandbox(measure);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Measures an experiment and prints its table");
  auto request = std::make_shared<RunRequest>();
  command->add_option("file", request->file, "experiment file (YAML)")->required();
  command->add_option("-o,--out", request->out, "run folder; must not exist or be empty");
  command->add_flag("--dry-run", request->dry_run,
                    "check everything, print the points, run nothing");
  command->add_option("--trace", request->trace,
                      "write a Chrome trace, which Perfetto opens, to this file");
  command->add_option("--trace-iterations,--trace-steps", request->traced,
                      "which iterations, such as 10:20, warm-up included; default: the first "
                      "measured one");
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
