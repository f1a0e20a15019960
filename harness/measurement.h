#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "harness/campaign.h"
#include "harness/experiment/experiment.h"
#include "harness/measuring/link_findings.h"
#include "harness/measuring/measured_run.h"
#include "harness/progress.h"
#include "harness/report/trace_file.h"
#include "harness/resumption.h"
#include "harness/store/run_folder.h"

namespace gradwire::harness {

/// Where a trace is written, and what it shows.
struct TraceRequest {
  std::filesystem::path path;
  TraceWindow window;
};

/// One run: each backing in turn, into a folder. The references must outlive it.
class Measurement {
 public:
  /// `points` are those that are not yet done; `findings` what links were found to be like before.
  Measurement(const Experiment& experiment, const PreparedPoints& points, RunFolder& folder,
              const Resumption& resumption, LinkFindings findings,
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

  const Experiment& experiment_;
  const PreparedPoints& points_;
  RunFolder& folder_;
  const Resumption& resumption_;
  LinkFindings findings_;
  const std::optional<TraceRequest>& trace_;
  SteadyClock clock_;
  TraceFile trace_file_;
};

}  // namespace gradwire::harness
