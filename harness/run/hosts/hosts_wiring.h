#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/run/machine_needs.h"
#include "harness/run/measuring/calibrate.h"
#include "harness/run/measuring/standing_wiring.h"
#include "harness/workers/session/mpirun_command.h"
#include "testbed/hosts/inventory.h"
#include "testbed/scratch_folder.h"
#include "testbed/shape.h"
#include "transport/execution/settings.h"

namespace gradwire::run {

/// The wiring of an inventory's hosts, whose workers stay with it.
class HostsWiring final : public StandingWiring {
 public:
  struct Options {
    std::shared_ptr<const topologies::Topology> wiring;
    BitRate rate;
    std::size_t mtu = 0;
    execution::TransportSettings transport;
    Memory memory = Memory::host;
  };

  /// Starts a session on all hosts. The inventory must fit the wiring and, as the clock, outlive
  /// this. Throws FabricError with what mpirun said, SystemError, Interrupted.
  HostsWiring(const hosts::Inventory& inventory, const Options& options, const Clock& clock);

  [[nodiscard]] std::shared_ptr<const topologies::Topology> topology() const override {
    return topology_;
  }
  [[nodiscard]] workers::Session& session(const Clock&) override { return *session_; }
  [[nodiscard]] std::unique_ptr<workers::Session> start_mpi_session(
      const Clock& clock, std::vector<std::string> arguments) override;
  /// slow-links where calibration found some.
  [[nodiscard]] std::vector<std::string> sample_flags(
      std::span<const double> port_bytes) const override;
  [[nodiscard]] LinkFinding finding() const override { return {.startup = calibration_.startup}; }
  [[nodiscard]] WiringTraffic read_traffic() override;
  [[nodiscard]] std::vector<std::string> traffic_flags(
      const WiringTraffic& carried, std::span<const PlannedTraffic> planned) const override;

  /// Compares where the ranks run. Returns what is to be kept of it (hosts.json's part for one
  /// wiring). Throws Preflight with a table when something that matters differs.
  [[nodiscard]] nlohmann::json require_agreement();

  /// Room that the ranks' hosts have left, as require_agreement() found them, by rank.
  [[nodiscard]] const std::vector<HostRoom>& rooms() const { return rooms_; }

  /// Measures the links and keeps the result; slow ones are no error.
  void calibrate(Nanoseconds timeout);
  [[nodiscard]] const Calibration& calibration() const { return calibration_; }
  /// Most that the ranks' clocks may be off each other.
  [[nodiscard]] std::optional<Nanoseconds> clock_error() const { return session_->clock_error(); }

 private:
  /// mpirun's options, but for what MPI uses.
  [[nodiscard]] workers::MpirunOptions launch() const;
  [[nodiscard]] std::unique_ptr<workers::Session> start(workers::MpirunOptions options,
                                                        const Clock& clock) const;

  const hosts::Inventory& inventory_;
  Options options_;
  std::shared_ptr<const topologies::Topology> topology_;
  testbed::LinkShape shape_;
  testbed::ScratchFolder folder_;  ///< holds ssh's configuration
  std::unique_ptr<workers::Session> session_;
  std::vector<HostRoom> rooms_;
  Calibration calibration_;
};

}  // namespace gradwire::run
