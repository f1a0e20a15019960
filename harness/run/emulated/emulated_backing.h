#pragma once

#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "harness/experiment/experiment.h"
#include "harness/run/link_findings.h"
#include "harness/run/measuring/measuring_loop.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "harness/run/resumption.h"
#include "results/record/run_folder.h"
#include "testbed/shape.h"

namespace gradwire::run {

/// Measures all points of an experiment on emulated wirings. Must run inside
/// testbed::run_in_sandbox.
class EmulatedBacking {
 public:
  /// Keeps `context`: what it refers to must outlive the backing.
  explicit EmulatedBacking(const MeasuringContext& context) : context_(context) {}

  /// Builds and calibrates the wirings, measures what the folder has not yet, and appends every
  /// sample to it. Throws Preflight, FabricError, Interrupted, SystemError; what was measured
  /// before is in the folder.
  void measure();

  /// Properties that the links were found to have.
  [[nodiscard]] LinkFindings findings() const { return link_findings(calibration_); }

 private:
  [[nodiscard]] double find_dilation();
  [[nodiscard]] testbed::LinkShape shape_of(BitRate rate) const;
  [[nodiscard]] Wirings build_wirings(MeasuringLoop& run, double dilation);

  MeasuringContext context_;
  nlohmann::json calibration_;  ///< content of calibration.json
};

}  // namespace gradwire::run
