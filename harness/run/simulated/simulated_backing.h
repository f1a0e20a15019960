#pragma once

#include <cstddef>
#include <span>

#include "harness/experiment/experiment.h"
#include "harness/run/link_findings.h"
#include "harness/run/point_record_maker.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "results/record/run_folder.h"
#include "results/report/trace_file.h"

namespace gradwire::run {

/// Points to be simulated, and where results go. The references must outlive SimulatedBacking.
struct SimulatedContext {
  const experiment::Experiment& experiment;
  std::span<const PreparedPoint> points;
  record::RunFolder& folder;
  Progress& progress;
  LinkFindings findings = {};          ///< findings on the same links, if they were emulated
  report::TraceFile* trace = nullptr;  ///< with one, every point is recorded
};

/// Simulates all points of an experiment: one iteration each, since the next would be the same.
class SimulatedBacking {
 public:
  explicit SimulatedBacking(SimulatedContext context);

  /// Steps of the progress line per point.
  static constexpr std::size_t kSteps = 1000;

  /// Simulates every point, and keeps record, sample and timeline of each point in
  /// it. A point in which nothing can happen any more keeps none of the others from being
  /// simulated; the first such FabricError is thrown at the end, with the point's name. Throws
  /// InputError, Interrupted, SystemError.
  void measure();

 private:
  void simulate_point();
  void report(double done) const;

  SimulatedContext context_;
  const PreparedPoint* point_ = nullptr;  ///< point that is being simulated
  PointRecordMaker records_;
};

}  // namespace gradwire::run
