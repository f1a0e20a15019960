#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/plan.h"
#include "harness/names/transport_settings.h"
#include "harness/run/measuring/link_findings.h"
#include "harness/workers/session/session.h"
#include "testbed/netlink.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// What Plans put on a port.
struct PlannedTraffic {
  std::uint64_t sent_bytes = 0;      ///< payload alone
  std::uint64_t received_bytes = 0;  ///< payload alone
  std::uint64_t messages = 0;        ///< both ways
};

/// A wiring that stands and on whose hosts workers can be started, with what was found out about
/// it.
class StandingWiring {
 public:
  virtual ~StandingWiring() = default;

  [[nodiscard]] virtual std::shared_ptr<const topologies::Topology> topology() const = 0;

  /// Workers for all hosts. The wiring and the clock must outlive them. Throws SystemError,
  /// FabricError.
  [[nodiscard]] virtual std::unique_ptr<workers::Session> start_session(const Clock& clock) = 0;

  /// The same as processes of an MPI job, which mpirun starts when told these `arguments` beside
  /// its usual ones; MPI uses all ports of the hosts. Takes some seconds. Throws as start_session,
  /// and Interrupted.
  [[nodiscard]] virtual std::unique_ptr<workers::Session> start_mpi_session(
      const Clock& clock, std::vector<std::string> arguments) = 0;

  /// Marks of every sample that is measured on it, of a synchronization whose busiest port carries
  /// `port_bytes`, by bucket.
  [[nodiscard]] virtual std::vector<std::string> sample_flags(
      std::span<const double> port_bytes) const = 0;

  /// Payload bytes that a link lets through at once after a pause, beside its rate.
  [[nodiscard]] virtual double burst() const { return 0; }

  /// Waits until links are as after a long pause, so that one iteration takes nothing from the next.
  /// Throws Interrupted.
  virtual void rest() {}

  /// What its links were found to be like, with the start-up as the clock saw it.
  [[nodiscard]] virtual LinkFinding finding() const = 0;

  /// Whether all its hosts are this machine.
  [[nodiscard]] virtual bool is_here() const { return false; }

  /// What has happened to switches and cables since the last call, in words, but for what was over
  /// before `since`: beside what ranks notice of their own ports.
  [[nodiscard]] virtual std::vector<std::string> take_changes(TimePoint) { return {}; }

  /// The same failure, with what is wrong with cables or ports: where that can be found out now, and
  /// explains it. May take some seconds.
  [[nodiscard]] virtual std::optional<FabricError> explain(const FabricError&, const Clock&) const {
    return std::nullopt;
  }

  /// Notes the counters of all ports.
  virtual void begin_counting() = 0;
  /// What the ports carry between these two is not counted: no Plan says what it should be.
  virtual void pause_counting() = 0;
  virtual void resume_counting() = 0;
  /// What is wrong with what the ports have carried since, as flags: bytes-off-plan where a port's
  /// bytes are not near `planned`, payload alone.
  [[nodiscard]] virtual std::vector<std::string> count_flags(
      std::span<const PlannedTraffic> planned) = 0;

  /// What can be said to be wrong with what they carried while counting paused.
  [[nodiscard]] virtual std::vector<std::string> flags_aside() const = 0;

  /// Adds what `iterations` runs of the Plans with elements of this type put on every host port,
  /// relayed traffic included: rank * ports_per_host + port. `planned` has that size.
  void add_planned(std::span<const Plan> plans, Dtype type, std::size_t iterations,
                   std::vector<PlannedTraffic>& planned) const;
  [[nodiscard]] std::size_t host_ports() const {
    return topology()->hosts() * topology()->ports_per_host();
  }
};

/// How much a port's counters may differ from the payload that is planned.
struct ByteTolerance {
  double headers = 0;  ///< that the counters hold beside each byte of payload
  double share = 0.03;
  double slack = 256 * 1024;  ///< handshakes, neighbour discovery
  /// More, at most, of a message in each direction: what a small one is sent in and acknowledged
  /// with, which is no share of its bytes.
  double message = 0;
  /// More, at most, of each byte of payload that goes the other way: what acknowledges it.
  double acknowledgements = 0;
};

/// `message` above for what a transport sends.
[[nodiscard]] double message_overhead(names::TransportKind transport);

/// `acknowledgements` above over links whose packets have at most `mtu` bytes.
[[nodiscard]] double acknowledgement_share(std::size_t mtu, testbed::Framing framing);

/// Whether a port has carried, between two readings, what was planned.
[[nodiscard]] bool is_on_plan(const testbed::LinkCounters& before, const testbed::LinkCounters& now,
                              const PlannedTraffic& planned, const ByteTolerance& tolerance);

}  // namespace gradwire::run
