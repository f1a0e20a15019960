#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "harness/experiment/experiment.h"
#include "harness/run/measuring/link_findings.h"
#include "harness/run/measuring/measuring_loop.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "harness/run/resumption.h"
#include "results/record/run_folder.h"
#include "results/report/trace_file.h"

namespace gradwire::run {

/// Where a trace is written, and what it shows.
struct TraceRequest {
  std::filesystem::path path;
  report::TraceWindow window;
};

/// One run: each backing in turn, into a folder. The references must outlive it.
class Run {
 public:
  /// `points` are those that are not yet done; `findings` what links were found to be like before.
  Run(const experiment::Experiment& experiment, const PreparedPoints& points,
      record::RunFolder& folder, const Resumption& resumption, LinkFindings findings,
      const std::optional<TraceRequest>& trace);

  /// Inside the sandbox if there is an emulation. Notes interrupts from now on. Prints progress to
  /// stderr. Throws Preflight, FabricError, Interrupted, InputError, SystemError; what was measured
  /// before is in the folder.
  void run();

 private:
  [[nodiscard]] std::size_t steps_of(std::span<const PreparedPoint> points) const;
  [[nodiscard]] MeasuringContext context_of(std::span<const PreparedPoint> points,
                                            Progress& progress);
  void emulate();
  void measure_hosts();
  void simulate();

  const experiment::Experiment& experiment_;
  const PreparedPoints& points_;
  record::RunFolder& folder_;
  const Resumption& resumption_;
  LinkFindings findings_;
  const std::optional<TraceRequest>& trace_;
  SteadyClock clock_;
  report::TraceFile trace_file_;
};

}  // namespace gradwire::run
