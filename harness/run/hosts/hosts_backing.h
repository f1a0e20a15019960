#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/hosts/hosts_wiring.h"
#include "harness/run/link_findings.h"
#include "harness/run/measuring/measuring_loop.h"
#include "harness/run/verification.h"
#include "testbed/hosts/inventory.h"

namespace gradwire::run {

/// Measures all points of an experiment on the hosts of an inventory.
class HostsBacking {
 public:
  /// Keeps its arguments: what `context` refers to, the inventory and the verification must outlive
  /// it. The inventory must fit every point's wiring.
  HostsBacking(const MeasuringContext& context, const hosts::Inventory& inventory,
               const std::optional<Verification>& verification)
      : context_(context), inventory_(inventory), verification_(verification) {}

  /// Compares the hosts, calibrates their links, measures what the folder has not yet, and appends
  /// every sample to it. Throws Preflight with a table of what differs, or when hosts were
  /// restarted since they were verified and the experiment does not ignore it, FabricError,
  /// Interrupted, SystemError; what was measured before is in the folder.
  void measure();

  /// Properties that the links were found to have.
  [[nodiscard]] LinkFindings findings() const { return link_findings(calibration_); }

 private:
  [[nodiscard]] Wirings start_wirings(MeasuringLoop& run);
  [[nodiscard]] std::unique_ptr<HostsWiring> start_wiring(
      const std::shared_ptr<const topologies::Topology>& wiring) const;
  /// Part of calibration.json for one wiring: what its links carry, and how long it took to start.
  [[nodiscard]] nlohmann::json calibrated(HostsWiring& wiring, Nanoseconds started_in) const;
  /// Objections to measuring the hosts of a wiring that stands, as require_agreement found
  /// them.
  [[nodiscard]] std::vector<std::string> objections_to(const std::string& wiring,
                                                       const nlohmann::json& found) const;

  MeasuringContext context_;
  const hosts::Inventory& inventory_;
  const std::optional<Verification>& verification_;
  nlohmann::json calibration_;  ///< content of calibration.json
};

}  // namespace gradwire::run
