#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "harness/experiment/experiment.h"
#include "harness/run/link_findings.h"
#include "harness/run/measuring/measuring_loop.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "harness/run/resumption.h"
#include "results/record/run_folder.h"
#include "results/report/trace_file.h"

namespace gradwire::run {

/// File that a trace is written to, and what it shows.
struct TraceRequest {
  std::filesystem::path path;
  report::TraceWindow window;
};

/// Parts that a run is made of. The references must outlive it.
struct RunParts {
  const experiment::Experiment& experiment;
  const PreparedPoints& points;  ///< points that are not yet done
  record::RunFolder& folder;
  const Resumption& resumption;
  LinkFindings findings = {};         ///< earlier findings on the links
  std::optional<TraceRequest> trace;  ///< absent: none is written
};

/// One run: each backing in turn, into a folder.
class Run {
 public:
  explicit Run(RunParts parts);

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

  RunParts parts_;
  SteadyClock clock_;
  report::TraceFile trace_file_;
};

}  // namespace gradwire::run
