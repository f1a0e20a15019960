#include "harness/commands/command_run.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
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
#include "harness/emulated/emulated_run.h"
#include "harness/exit_code.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/overrides.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/report/context.h"
#include "harness/report/run_folder.h"
#include "harness/report/table.h"
#include "harness/report/trace_file.h"
#include "harness/report/training_table.h"
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

void print_dry_run(const Experiment& experiment, const std::vector<PreparedPoint>& points) {
  fmt::print("# {}: {} points, {} + {} iterations each; nothing is run\n", experiment.name,
             points.size(), experiment.warmup, experiment.iterations);
  fmt::print("# {:>5} {:18} {:24} {:16} {:>6} {:16} {:>4} {:>3} {:>12} {:>12} {:>10}\n", "point",
             "wiring", "algo", "workload", "batch", "sched", "N", "k", "size(B)", "bound(us)",
             "memory");
  for (const PreparedPoint& point : points) {
    const Configuration& c = point.configuration;
    fmt::print("  {:>5} {:18} {:24} {:16} {:>6} {:16} {:>4} {:>3} {:>12} {:>12.1f} {:>10}\n",
               c.point, c.wiring, c.algorithm, c.workload.empty() ? "-" : c.workload,
               c.batch == 0 ? "-" : fmt::to_string(c.batch), c.schedule, c.ranks, c.ports_per_host,
               c.bytes(), point.bound.count() * 1e6, format_bytes(gradient_bytes(point)));
  }
}

std::string title_of(const Experiment& experiment, double dilation, const RunFolder& folder) {
  const std::string startup =
      experiment.startup > Seconds(0)
          ? fmt::format(", start-up {:g} us a message", experiment.startup.count() * 1e6)
          : "";
  return fmt::format("{}: links of {}, MTU {}{}, time dilation {:g}\nrun folder: {}",
                     experiment.name, to_string(experiment.rate), experiment.mtu, startup, dilation,
                     folder.path().string());
}

/// Writes and prints what was measured. Returns the exit code that it earns.
int finish(const Experiment& experiment, const EmulatedRun& run, const RunFolder& folder) {
  const std::vector<Row> rows = run.rows();
  folder.write_results(rows, experiment.comparison);
  if (!rows.empty()) {
    fmt::print("{}", format_table(rows, title_of(experiment, run.dilation(), folder)));
    fmt::print("{}", format_training_table(rows));
    if (experiment.comparison) fmt::print("{}", format_gains(*experiment.comparison, rows));
  }
  for (const Row& row : rows) {
    if (row.wrong.value_or(0) != 0) return kExitWrongData;
  }
  return kExitOk;
}

/// Inside the sandbox.
int measure(const Experiment& experiment, const std::vector<PreparedPoint>& points,
            RunFolder& folder, const std::optional<TraceRequest>& trace) {
  note_interrupts();
  const SteadyClock clock;
  const bool live = is_live_terminal(STDERR_FILENO);
  Progress progress(std::cerr, clock,
                    {.total = points.size() * (experiment.warmup + experiment.iterations),
                     .live = live,
                     .width = terminal_width(STDERR_FILENO)});
  TraceFile trace_file;
  std::optional<EmulatedRun::Tracing> tracing;
  if (trace) tracing.emplace(trace_file, trace->window);
  EmulatedRun run(experiment, points, folder, progress, clock, tracing);
  std::exception_ptr failure;
  try {
    run.measure();
  } catch (...) {
    failure = std::current_exception();
  }
  progress.clear();
  const int exit_code = finish(experiment, run, folder);
  if (failure) std::rethrow_exception(failure);
  if (trace) trace_file.write(trace->path);
  return exit_code;
}

int measure_and_report(const Experiment& experiment, const std::vector<PreparedPoint>& points,
                       RunFolder& folder, const std::optional<TraceRequest>& trace) {
  try {
    return measure(experiment, points, folder, trace);
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
  const std::vector<PreparedPoint> points = prepare(experiment);
  if (request.dry_run) {
    print_dry_run(experiment, points);
    return kExitOk;
  }
  RunFolder::Options options{
      .name = experiment.name, .started = started, .experiment = experiment.text};
  if (request.out) options.out = *request.out;
  RunFolder folder = RunFolder::create(options, run_context({.arguments = request.arguments,
                                                             .started = started,
                                                             .experiment = experiment,
                                                             .overrides = request.overrides}));
  return testbed::run_in_sandbox(
      [&] { return measure_and_report(experiment, points, folder, trace); });
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
