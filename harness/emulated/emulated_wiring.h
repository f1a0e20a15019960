#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "harness/emulated/calibrate.h"
#include "testbed/emulation.h"
#include "topologies/address_plan.h"
#include "topologies/topology.h"

namespace gradwire::harness {

/// A wiring that stands, with what was found out about it.
class EmulatedWiring {
 public:
  /// Builds it. Throws InputError when its addresses do not fit, SystemError when the kernel
  /// refuses. `shape` must be framed as the transport frames.
  EmulatedWiring(const std::string& name, const testbed::LinkShape& shape,
                 const TransportSettings& transport);

  [[nodiscard]] const topologies::Topology& topology() const { return *topology_; }
  [[nodiscard]] const testbed::LinkShape& shape() const { return shape_; }
  /// Workers for all hosts. The wiring and the clock must outlive them.
  [[nodiscard]] std::unique_ptr<Session> start_session(const Clock& clock);
  /// The same as processes of an MPI job, which mpirun starts when told these `arguments` beside
  /// its usual ones; MPI uses all ports of the hosts. Takes some seconds. Throws FabricError,
  /// Interrupted.
  [[nodiscard]] std::unique_ptr<Session> start_mpi_session(const Clock& clock,
                                                           std::vector<std::string> arguments);

  /// Measures the links and keeps the result. Throws Preflight for a link off its rate.
  void calibrate(const Clock& clock, Nanoseconds timeout);
  [[nodiscard]] const Calibration& calibration() const { return calibration_; }

  /// Notes the counters of all ports and shapers.
  void begin_counting();
  /// Between these two, what the ports carry is not counted, and no Plan is held against it.
  void pause_counting();
  void resume_counting();
  /// What is wrong with what the ports have carried since, as flags: bytes-off-plan where a port's
  /// bytes differ from `planned` by more than 3 % and 256 KiB, packet-loss where a shaper dropped.
  [[nodiscard]] std::vector<std::string> count_flags(
      std::span<const testbed::LinkCounters> planned);

  /// Packets that shapers dropped while counting paused.
  [[nodiscard]] std::uint64_t dropped_aside() const { return dropped_aside_; }

  /// Adds what `iterations` runs of the Plans put on every host port, relayed traffic included:
  /// rank * ports_per_host + port. `planned` has that size.
  void add_planned(std::span<const Plan> plans, std::size_t iterations,
                   std::vector<testbed::LinkCounters>& planned) const;
  [[nodiscard]] std::size_t host_ports() const {
    return topology_->hosts() * topology_->ports_per_host();
  }

 private:
  [[nodiscard]] std::vector<int> namespaces() const;
  [[nodiscard]] Session::Ground ground() const;
  [[nodiscard]] std::vector<testbed::LinkCounters> read_counters();

  std::unique_ptr<const topologies::Topology> topology_;
  topologies::AddressPlan addresses_;
  testbed::LinkShape shape_;
  TransportSettings transport_;
  testbed::Emulation emulation_;
  bool has_management_ = false;  ///< mpirun needs a network beside the wiring
  Calibration calibration_;
  std::vector<testbed::LinkCounters> before_;
  std::uint64_t dropped_before_ = 0;
  std::vector<testbed::LinkCounters> paused_at_;
  std::uint64_t dropped_at_pause_ = 0;
  std::uint64_t dropped_aside_ = 0;
};

}  // namespace gradwire::harness
