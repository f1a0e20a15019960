#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/plan.h"
#include "harness/run/link_findings.h"
#include "harness/run/measuring/wiring_traffic.h"
#include "harness/workers/session/session.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// A wiring that stands and on whose hosts workers can be started, with what was found out about
/// it.
class StandingWiring {
 public:
  virtual ~StandingWiring() = default;

  [[nodiscard]] virtual std::shared_ptr<const topologies::Topology> topology() const = 0;

  /// The workers of its hosts, one each, which take any number of jobs. The clock must outlive the
  /// wiring. Throws SystemError, FabricError where they are not started yet.
  [[nodiscard]] virtual workers::Session& session(const Clock& clock) = 0;

  /// Ends the workers of session(), until somebody asks for it again, where others may need what
  /// they take.
  virtual void dismiss_workers() {}

  /// Further workers for all hosts, as processes of an MPI job, which mpirun starts when told these
  /// `arguments` beside its usual ones; MPI uses all ports of the hosts. The wiring and the clock
  /// must outlive them. Takes some seconds. Throws SystemError, FabricError, Interrupted.
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

  /// Properties that its links were found to have, with the start-up as the clock saw it.
  [[nodiscard]] virtual LinkFinding finding() const = 0;

  /// Whether all its hosts are this machine.
  [[nodiscard]] virtual bool is_here() const { return false; }

  /// Changes of switches and cables since the last call, in words, but for what was over
  /// before `since`: beside what ranks notice of their own ports.
  [[nodiscard]] virtual std::vector<std::string> take_changes(TimePoint) { return {}; }

  /// Adds to a failure what is wrong with cables or ports: where that can be found out now, and
  /// explains it. May take some seconds.
  [[nodiscard]] virtual std::optional<FabricError> explain(const FabricError&, const Clock&) const {
    return std::nullopt;
  }

  /// Traffic that the wiring has carried so far. Asks all hosts.
  [[nodiscard]] virtual WiringTraffic read_traffic() = 0;

  /// Flags of what is wrong with what it carried in the turns of one point: bytes-off-plan where a
  /// port's bytes are not near `planned`, payload alone, by port as in WiringTraffic. Without a
  /// plan, as of a library's messages, what can be said all the same.
  [[nodiscard]] virtual std::vector<std::string> traffic_flags(
      const WiringTraffic& carried, std::span<const PlannedTraffic> planned) const = 0;
  /// Flags of what is wrong with what it carried of Plans in the turns of several points, of which
  /// it cannot be said whose it is; and of what is wrong with the wiring now. Asks all hosts.
  [[nodiscard]] virtual std::vector<std::string> shared_flags(const WiringTraffic&) const {
    return {};
  }

  /// Adds what `iterations` runs of the Plans with elements of this type put on every host port,
  /// relayed traffic included: rank * ports_per_host + port. `planned` has that size.
  void add_planned(std::span<const Plan> plans, Dtype type, std::size_t iterations,
                   std::vector<PlannedTraffic>& planned) const;
  [[nodiscard]] std::size_t host_ports() const {
    return topology()->hosts() * topology()->ports_per_host();
  }
};

}  // namespace gradwire::run
