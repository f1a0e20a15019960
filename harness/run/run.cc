#include "harness/run/run.h"

#include <iostream>
#include <utility>

#include <unistd.h>

#include "harness/run/emulated/emulated_backing.h"
#include "harness/run/hosts/hosts_backing.h"
#include "harness/run/progress.h"
#include "harness/run/simulated/simulated_backing.h"
#include "harness/workers/interrupt.h"

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

Run::Run(const experiment::Experiment& experiment, const PreparedPoints& points,
         record::RunFolder& folder, const Resumption& resumption, LinkFindings findings,
         const std::optional<TraceRequest>& trace)
    : experiment_(experiment),
      points_(points),
      folder_(folder),
      resumption_(resumption),
      findings_(std::move(findings)),
      trace_(trace) {}

void Run::run() {
  workers::note_interrupts();
  if (!points_.emulated.empty()) emulate();
  if (!points_.hosts.empty()) measure_hosts();
  if (!points_.simulated.empty()) simulate();
  if (trace_) trace_file_.write(trace_->path);
}

std::size_t Run::steps_of(std::span<const PreparedPoint> points) const {
  std::size_t steps = 0;
  for (const PreparedPoint& point : points) {
    steps += experiment_.warmup + experiment_.iterations -
             resumption_.done(point.key, experiment_.iterations);
  }
  return steps;
}

MeasuringContext Run::context_of(std::span<const PreparedPoint> points, Progress& progress) {
  MeasuringContext context{.experiment = experiment_,
                           .points = points,
                           .folder = folder_,
                           .progress = progress,
                           .clock = clock_,
                           .resumption = resumption_};
  if (trace_) context.tracing.emplace(trace_file_, trace_->window);
  return context;
}

void Run::emulate() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(points_.emulated), 1));
  EmulatedBacking run(context_of(points_.emulated, progress));
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) findings_[wiring] = finding;
}

void Run::measure_hosts() {
  Progress progress(std::cerr, clock_, progress_options(steps_of(points_.hosts), 1));
  HostsBacking run(context_of(points_.hosts, progress), *points_.inventory, points_.verification);
  measure(run, progress);
  for (const auto& [wiring, finding] : run.findings()) findings_[wiring] = finding;
}

void Run::simulate() {
  Progress progress(std::cerr, clock_,
                    progress_options(points_.simulated.size(), SimulatedBacking::kSteps));
  SimulatedBacking run(experiment_, points_.simulated, folder_, progress, findings_,
                       trace_ ? &trace_file_ : nullptr);
  measure(run, progress);
}

}  // namespace gradwire::run
