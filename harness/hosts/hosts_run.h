#pragma once

#include <nlohmann/json.hpp>

#include "harness/hosts/inventory.h"
#include "harness/measuring/link_findings.h"
#include "harness/measuring/measured_run.h"

namespace gradwire::harness {

/// Measures all points of an experiment on the hosts of an inventory.
class HostsRun {
 public:
  /// What `context` refers to, and the inventory, must outlive it. The inventory must fit every
  /// point's wiring.
  HostsRun(const MeasuringContext& context, const Inventory& inventory)
      : context_(context), inventory_(inventory) {}

  /// Compares the hosts, calibrates their links, measures what the folder has not yet, and appends
  /// every sample to it. Throws Preflight with a table of what differs, FabricError, Interrupted,
  /// SystemError; what was measured before is in the folder.
  void measure();

  /// What the links were found to be like.
  [[nodiscard]] LinkFindings findings() const { return link_findings(calibration_); }

 private:
  [[nodiscard]] Wirings start_wirings(const MeasuredRun& run);

  MeasuringContext context_;
  const Inventory& inventory_;
  nlohmann::json calibration_;  ///< as in calibration.json
};

}  // namespace gradwire::harness
