#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lane_program.h"
#include "core/plan.h"
#include "core/units.h"
#include "simulator/fabric.h"
#include "simulator/queue_network.h"

/// The simulation of Plans in virtual time.
namespace gradwire::simulator {

/// The cost of moving bytes (alpha, beta and gamma of MG-WFBP's Table I, with gamma per byte).
struct NetworkModel {
  /// The payload bytes per second of a link of speed 1: 1/beta; above 0.
  double rate = 0;
  /// The start-up time in seconds: a send leaves this long after it could, as in
  /// transport/lane_runner.h.
  double alpha = 0;
  /// The delay in seconds per cable on the way.
  double delay = 0;
  /// The seconds per byte that a receive adds; a lane adds one message at a time, once it is
  /// complete.
  double gamma = 0;
  /// The size in bytes of one element, the unit of extents.
  double element_bytes = 4;
  /// The bytes that a link passes at burst_factor times its rate after a pause, like the shaper of
  /// an emulated link; 0: none. The factor is above 1.
  double burst = 0;
  double burst_factor = 1;
  /// The sockets of an emulation, if they are modelled: bytes wait in the queues of ports, like
  /// those of an emulation's sockets, and a message begins to move when it is sent and received,
  /// but may leave before it has arrived (queue_network.h). Operations that wait for the first
  /// elements of a send wait until these have arrived. A burst passes at once, whatever its factor.
  /// Requires one fabric for all collectives, whose actors stand for themselves, and no outages.
  /// Without sockets bytes flow, max-min fair (network.h).
  std::optional<SocketModel> sockets = {};
};

/// Hosts, switches or cables that are down for a while.
struct Outage {
  std::string what;                ///< name in messages
  std::vector<std::size_t> links;  ///< directed links of the fabric
  double from = 0;                 ///< seconds
  double until = kNever;
};

/// A collective of all actors, one of several in a row: a bucket of a training job.
struct Stage {
  std::vector<Plan> plans;  ///< by actor
  double ready = 0;         ///< seconds: earliest begin for all actors
};

/// The times at which one actor ran one stage, in seconds.
struct StageTimes {
  double start = 0;
  double end = 0;
};

/// A send or a receive that took place.
struct SimulatedTransfer {
  std::size_t actor = 0;
  std::size_t stage = 0;
  std::size_t lane = 0;
  Operation operation;  ///< operation of the lane, in the stage's Plan
  Peer peer;
  double posted = 0;  ///< seconds: begin of moving its bytes
  double done = 0;    ///< seconds: a send's bytes have left; a receive's are combined
};

/// The result of a simulation.
struct Outcome {
  std::vector<std::vector<StageTimes>> stages;  ///< by actor, by stage
  std::vector<SimulatedTransfer> transfers;     ///< if recorded, in the order of their ends
  std::uint64_t flows = 0;                      ///< number of flows carried
  std::uint64_t events = 0;                     ///< number of moments at which something happened
  std::uint64_t rates = 0;                      ///< number of rates given to flows, several to most

  /// The time at which the last actor finished the stage, in seconds.
  [[nodiscard]] double end_of(std::size_t stage) const;
  /// The time at which the last actor began the stage, in seconds.
  [[nodiscard]] double start_of(std::size_t stage) const;
};

/// The options of a simulation: outages, records and reports of progress.
struct SimulationOptions {
  bool record = false;  ///< whether every transfer is kept
  std::vector<Outage> outages = {};
  /// A function that is called now and then with the share of the transfers that are done, 0..1. An
  /// exception from it ends the simulation.
  std::function<void(double done)> progress = {};
};

/// Runs the actors' Plans on the fabric, one stage after the other, each a collective with channels
/// of its own. A rank's next stage begins when the one before is done on that rank and the stage is
/// ready. Lanes advance by their extents exactly like the executor's (core/lane_program.h). A
/// channel carries one message at a time in each direction; a message begins to move when both ends
/// are ready for it.
///
/// Deterministic. Throws FabricError (stalled) when work is left and nothing can happen any more:
/// it names the rank that waits, its peer, the lane and step, and the outages. Throws InternalError
/// when the Plans do not meet.
[[nodiscard]] Outcome simulate(const Fabric& fabric, std::vector<Stage> stages,
                               const NetworkModel& model, const SimulationOptions& options = {});

/// Runs one stage, which begins at once.
[[nodiscard]] Outcome simulate(const Fabric& fabric, std::vector<Plan> plans,
                               const NetworkModel& model, const SimulationOptions& options = {});

}  // namespace gradwire::simulator
