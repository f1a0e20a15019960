#pragma once

#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "harness/campaign.h"
#include "harness/experiment/experiment.h"
#include "harness/measuring/link_findings.h"
#include "harness/measuring/measured_run.h"
#include "harness/progress.h"
#include "harness/resumption.h"
#include "harness/store/run_folder.h"
#include "testbed/shape.h"

namespace gradwire::harness {

/// Measures all points of an experiment on emulated wirings. Must run inside
/// testbed::run_in_sandbox.
class EmulationRun {
 public:
  /// What `context` refers to must outlive it.
  explicit EmulationRun(const MeasuringContext& context) : context_(context) {}

  /// Builds and calibrates the wirings, measures what the folder has not yet, and appends every
  /// sample to it. Throws Preflight, FabricError, Interrupted, SystemError; what was measured
  /// before is in the folder.
  void measure();

  /// What the links were found to be like.
  [[nodiscard]] LinkFindings findings() const { return link_findings(calibration_); }

 private:
  [[nodiscard]] double choose_dilation();
  [[nodiscard]] testbed::LinkShape shape_of(BitRate rate) const;
  [[nodiscard]] Wirings build_wirings(const MeasuredRun& run, double dilation);

  MeasuringContext context_;
  nlohmann::json calibration_;  ///< as in calibration.json
};

}  // namespace gradwire::harness
