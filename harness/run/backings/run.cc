#include "harness/run/backings/run.h"

#include <iostream>
#include <utility>

#include <unistd.h>

#include "harness/run/emulated/emulated_backing.h"
#include "harness/run/hosts/hosts_backing.h"
#include "harness/run/progress.h"
#include "harness/run/simulated/simulated_backing.h"

namespace gradwire::run {
namespace {

Progress::Options progress_options(std::size_t steps, std::size_t parts) {
  return {.total = steps * parts,
          .parts = parts,
          .live = is_live_terminal(STDERR_FILENO),
          .width = terminal_width(STDERR_FILENO)};
}

/// Measures, and takes the progress line away also when that fails.
template <class Run>
void measure(Run& run, Progress& progress) {
  try {
    run.measure();
  } catch (...) {
    progress.clear();
    throw;
  }
  progress.clear();
}

}  // namespace

Run::Run(RunParts parts) : parts_(std::move(parts)) {}

void Run::run() {
  if (!parts_.points.emulated.empty()) emulate();
  if (!parts_.points.hosts.empty()) measure_hosts();
  if (!parts_.points.simulated.empty()) simulate();
  if (parts_.trace) trace_file_.write(parts_.trace->path);
}

std::size_t Run::steps_of(std::span<const PreparedPoint> points) const {
  std::size_t steps = 0;
  for (const PreparedPoint& point : points) {
    steps += parts_.experiment.warmup + parts_.experiment.iterations -
             parts_.resumption.done(point.key, parts_.experiment.iterations);
  }
  return steps;
}

MeasuringContext Run::context_of(std::span<const PreparedPoint> points, Progress& progress) {
  MeasuringContext context{.experiment = parts_.experiment,
                           .points = points,
                           .folder = parts_.folder,
                           .progress = progress,
                           .clock = clock_,
                           .resumption = parts_.resumption};
  if (parts_.trace) context.tracing.emplace(trace_file_, parts_.trace->window);
  return context;
}

void Run::emulate() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(parts_.points.emulated), 1));
  EmulatedBacking run(context_of(parts_.points.emulated, progress));
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) parts_.findings[wiring] = finding;
}

void Run::measure_hosts() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(parts_.points.hosts), 1));
  HostsBacking run(context_of(parts_.points.hosts, progress), *parts_.points.inventory,
                   parts_.points.verification);
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) parts_.findings[wiring] = finding;
}

void Run::simulate() {
  Progress progress(std::cerr, clock_,
                    progress_options(parts_.points.simulated.size(), SimulatedBacking::kSteps));
  SimulatedBacking run({.experiment = parts_.experiment,
                        .points = parts_.points.simulated,
                        .folder = parts_.folder,
                        .progress = progress,
                        .findings = parts_.findings,
                        .trace = parts_.trace ? &trace_file_ : nullptr});
  measure(run, progress);
}

}  // namespace gradwire::run
