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

/// Runs Plans in virtual time.
namespace gradwire::simulator {

/// What moving bytes costs (alpha, beta and gamma of MG-WFBP's Table I, with gamma per byte).
struct NetworkModel {
  /// Payload bytes per second of a link of speed 1: 1/beta; above 0.
  double rate = 0;
  /// Seconds: a send leaves this long after it could, as in transport/lane_runner.h.
  double alpha = 0;
  /// Seconds per cable on the way.
  double delay = 0;
  /// Seconds per byte that a receive adds; a lane adds one message at a time, once it is complete.
  double gamma = 0;
  /// Of one element, in which extents count.
  double element_bytes = 4;
  /// Bytes that a link passes at burst_factor times its rate after a pause, as the shaper of an
  /// emulated link does; 0: none. The factor is above 1.
  double burst = 0;
  double burst_factor = 1;
  /// Present: bytes wait in the queues of ports, as those of an emulation's sockets do, and a message
  /// begins to move when it is sent and received, but may leave before it has arrived
  /// (queue_network.h). What waits for the first elements of a send waits until they have arrived. A
  /// burst passes at once then, whatever its factor. Absent: bytes flow, max-min fair (network.h).
  /// Requires one fabric for all collectives, whose actors stand for themselves, and no outages.
  std::optional<SocketModel> sockets = {};
};

/// Hosts, switches or cables that are down for a while.
struct Outage {
  std::string what;                ///< as messages call it
  std::vector<std::size_t> links;  ///< directed links of the fabric
  double from = 0;                 ///< seconds
  double until = kNever;
};

/// A collective of all actors, one of several in a row: a bucket of a training job.
struct Stage {
  std::vector<Plan> plans;  ///< by actor
  double ready = 0;         ///< seconds: no actor begins before
};

/// When one actor ran one stage, in seconds.
struct StageTimes {
  double start = 0;
  double end = 0;
};

/// A send or a receive that took place.
struct SimulatedTransfer {
  std::size_t actor = 0;
  std::size_t stage = 0;
  std::size_t lane = 0;
  Operation operation;  ///< of the lane, in the stage's Plan
  Peer peer;
  double posted = 0;  ///< seconds: when its bytes began to move
  double done = 0;    ///< of a send: all bytes have left; of a receive: they are combined
};

/// What a simulation found.
struct Outcome {
  std::vector<std::vector<StageTimes>> stages;  ///< by actor, by stage
  std::vector<SimulatedTransfer> transfers;     ///< when recorded, in the order of their ends
  std::uint64_t flows = 0;                      ///< that were carried
  std::uint64_t events = 0;                     ///< moments at which something happened
  std::uint64_t rates = 0;                      ///< that flows were given; most several

  /// When the last actor had finished the stage, in seconds.
  [[nodiscard]] double end_of(std::size_t stage) const;
  /// When the last actor began the stage, in seconds.
  [[nodiscard]] double start_of(std::size_t stage) const;
};

/// What is simulated beside the Plans, and what is kept.
struct SimulationOptions {
  bool record = false;  ///< keep every transfer
  std::vector<Outage> outages = {};
  /// Called now and then with the share of the transfers that are done, 0..1. What it throws ends
  /// the simulation.
  std::function<void(double done)> progress = {};
};

/// Runs the actors' Plans on the fabric, one stage after the other, each a collective with channels of
/// its own. A rank's next stage begins when the one before is done on that rank and the stage is ready.
/// Lanes advance by their extents exactly as the executor's do (core/lane_program.h). A channel carries
/// one message at a time in each direction; a message begins to move when both ends are ready for it.
///
/// Deterministic. Throws FabricError (stalled) when work is left and nothing
/// can happen any more: it names the rank that waits, for whom, in which lane and step, and what
/// is down. Throws InternalError when the Plans do not meet.
[[nodiscard]] Outcome simulate(const Fabric& fabric, std::vector<Stage> stages,
                               const NetworkModel& model, const SimulationOptions& options = {});

/// Runs one stage, which begins at once.
[[nodiscard]] Outcome simulate(const Fabric& fabric, std::vector<Plan> plans,
                               const NetworkModel& model, const SimulationOptions& options = {});

}  // namespace gradwire::simulator
