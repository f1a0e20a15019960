#include "harness/measurement.h"

#include <iostream>
#include <utility>

#include <unistd.h>

#include "harness/emulated/emulation_run.h"
#include "harness/hosts/hosts_run.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/simulated/simulated_run.h"

namespace gradwire::harness {
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

Measurement::Measurement(const Experiment& experiment, const PreparedPoints& points,
                         RunFolder& folder, const Resumption& resumption, LinkFindings findings,
                         const std::optional<TraceRequest>& trace)
    : experiment_(experiment),
      points_(points),
      folder_(folder),
      resumption_(resumption),
      findings_(std::move(findings)),
      trace_(trace) {}

void Measurement::run() {
  note_interrupts();
  if (!points_.emulated.empty()) emulate();
  if (!points_.hosts.empty()) measure_hosts();
  if (!points_.simulated.empty()) simulate();
  if (trace_) trace_file_.write(trace_->path);
}

std::size_t Measurement::steps_of(std::span<const PreparedPoint> points) const {
  std::size_t steps = 0;
  for (const PreparedPoint& point : points) {
    steps += experiment_.warmup + experiment_.iterations -
             resumption_.done(point.key, experiment_.iterations);
  }
  return steps;
}

MeasuringContext Measurement::context_of(std::span<const PreparedPoint> points,
                                         Progress& progress) {
  MeasuringContext context{.experiment = experiment_,
                           .points = points,
                           .folder = folder_,
                           .progress = progress,
                           .clock = clock_,
                           .resumption = resumption_};
  if (trace_) context.tracing.emplace(trace_file_, trace_->window);
  return context;
}

void Measurement::emulate() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(points_.emulated), 1));
  EmulationRun run(context_of(points_.emulated, progress));
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) findings_[wiring] = finding;
}

void Measurement::measure_hosts() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(points_.hosts), 1));
  HostsRun run(context_of(points_.hosts, progress), *points_.inventory, points_.verification);
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) findings_[wiring] = finding;
}

void Measurement::simulate() {
  Progress progress(std::cerr, clock_,
                    progress_options(points_.simulated.size(), SimulatedRun::kSteps));
  SimulatedRun run(experiment_, points_.simulated, folder_, progress, findings_,
                   trace_ ? &trace_file_ : nullptr);
  measure(run, progress);
}

}  // namespace gradwire::harness
