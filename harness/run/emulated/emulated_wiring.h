#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "harness/run/emulated/switch_watch.h"
#include "harness/run/measuring/calibrate.h"
#include "harness/run/measuring/standing_wiring.h"
#include "testbed/emulation.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// A wiring that stands, with what was found out about it.
class EmulatedWiring final : public StandingWiring {
 public:
  /// Builds it. Throws InputError when its addresses do not fit, SystemError when the kernel
  /// refuses. `shape` must be framed as the transport frames.
  EmulatedWiring(std::shared_ptr<const topologies::Topology> topology,
                 const testbed::LinkShape& shape, const execution::TransportSettings& transport);

  [[nodiscard]] std::shared_ptr<const topologies::Topology> topology() const override {
    return topology_;
  }
  [[nodiscard]] const testbed::LinkShape& shape() const { return shape_; }
  [[nodiscard]] workers::Session& session(const Clock& clock) override;
  void dismiss_workers() override { session_.reset(); }
  [[nodiscard]] std::unique_ptr<workers::Session> start_mpi_session(
      const Clock& clock, std::vector<std::string> arguments) override;

  /// Measures the links and keeps the result. Throws Preflight for a link off its rate, or one that
  /// is no longer as it was built, and FabricError, explained, where hosts do not reach each other.
  void calibrate(const Clock& clock, Nanoseconds timeout);
  [[nodiscard]] const Calibration& calibration() const { return calibration_; }

  /// unshaped; or cpu-bound, and burst where shapers' buckets are a good part of what a port
  /// carries.
  [[nodiscard]] std::vector<std::string> sample_flags(
      std::span<const double> port_bytes) const override;

  [[nodiscard]] double burst() const override;
  void rest() override;
  [[nodiscard]] LinkFinding finding() const override;
  [[nodiscard]] bool is_here() const override { return true; }
  [[nodiscard]] std::vector<std::string> take_changes(TimePoint since) override;
  /// Names, for hosts that do not reach each other, ports that are on another switch than the
  /// wiring has them on, or that pass short frames only (testbed/cabling.h).
  [[nodiscard]] std::optional<FabricError> explain(const FabricError& failure,
                                                   const Clock& clock) const override;
  [[nodiscard]] WiringTraffic read_traffic() override;
  /// Flags packet-loss, too, where a shaper dropped.
  [[nodiscard]] std::vector<std::string> traffic_flags(
      const WiringTraffic& carried, std::span<const PlannedTraffic> planned) const override;
  /// packet-loss where a host has sent again what was lost: that what it sent again came twice, it may
  /// hear in the next turn only. link-changed where a cable is not as it was built.
  [[nodiscard]] std::vector<std::string> shared_flags(const WiringTraffic& carried) const override;

 private:
  [[nodiscard]] std::vector<int> namespaces() const;
  /// Ground that sessions stand on; the switches are watched from the first on.
  [[nodiscard]] workers::Session::Ground ground(const Clock& clock);

  std::shared_ptr<const topologies::Topology> topology_;
  topologies::AddressPlan addresses_;
  testbed::LinkShape shape_;
  execution::TransportSettings transport_;
  testbed::Emulation emulation_;
  std::optional<SwitchWatch> switch_watch_;
  bool has_management_ = false;  ///< mpirun needs a network beside the wiring
  std::unique_ptr<workers::Session> session_;
  Calibration calibration_;
};

}  // namespace gradwire::run
