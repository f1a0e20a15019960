#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithms/peer.h"
#include "core/clock.h"
#include "core/goal.h"
#include "core/plan.h"
#include "harness/experiment/experiment.h"
#include "harness/run/verification.h"
#include "results/record/row.h"
#include "results/report/trace_file.h"
#include "schedule/backward_pass.h"
#include "testbed/hosts/inventory.h"
#include "workloads/profile.h"

/// An experiment made ready: every point resolved and proven before the first packet.
namespace gradwire::run {

/// The computing half of a point that is a training job.
struct PreparedTraining {
  workloads::Profile profile;
  schedule::BackwardPass pass;
};

/// A point with everything that can be computed about it.
struct PreparedPoint {
  std::string key;  ///< hash, the same for the same point in any run (harness/run/point_key.h)
  experiment::Task task;
  experiment::TaskPlaces places;
  record::Configuration configuration;
  Goal goal;  ///< says who contributes to the sum, and who needs it
  /// Plans by rank, proven by the checker; of everything as one bucket. Of a measured point: a
  /// simulated one makes its own (simulated/simulated_wiring.h). Empty when a library sums.
  std::vector<Plan> plans;
  /// Undilated: of these, or of a library (collectives/algorithms/peer.h), on links without a
  /// burst. Absent where links have no rate, and for a simulated point.
  std::optional<Seconds> bound;
  std::optional<PreparedTraining> training;
  std::optional<double> bus_factor = {};  ///< factor as in record::PointRecord
};

/// Resolves workloads and algorithms for one of the experiment's backings. Throws InputError at the
/// place of the file where a point does not make sense, and when the emulation would need more
/// memory than the machine has.
[[nodiscard]] std::vector<PreparedPoint> prepare(const experiment::Experiment& experiment,
                                                 record::Backing backing);
/// Resolves workloads and algorithms for the hosts of an inventory. Throws InputError likewise, and
/// for a wiring that is not theirs.
[[nodiscard]] std::vector<PreparedPoint> prepare(const experiment::Experiment& experiment,
                                                 const hosts::Inventory& inventory);

/// The arguments of mpirun for the point's library; nothing where its ranks are started without. Points
/// with equal arguments can share processes, as settings of MPI hold for the life of one.
[[nodiscard]] std::optional<std::vector<std::string>> mpirun_arguments(const PreparedPoint& point);

/// An experiment's points, made ready for each of its backings.
struct PreparedPoints {
  std::vector<PreparedPoint> emulated;
  std::vector<PreparedPoint> hosts;
  std::vector<PreparedPoint> simulated;
  std::optional<hosts::Inventory> inventory;  ///< inventory of the hosts
  std::optional<Verification> verification;   ///< the one that the inventory names, if it is there

  [[nodiscard]] std::size_t size() const {
    return emulated.size() + hosts.size() + simulated.size();
  }
};

/// Throws InputError as prepare does, and for a verification that is none. Needs none of the
/// libraries that the points are measured with (harness/run/libraries.h).
[[nodiscard]] PreparedPoints prepare_all(const experiment::Experiment& experiment);

/// Profile of what a point synchronizes. Throws InputError at its place in experiment or trace.
[[nodiscard]] std::optional<workloads::Profile> profile_of(const experiment::Experiment& experiment,
                                                           const experiment::Point& point);

/// The point as a trace shows it. `point` must outlive the result.
[[nodiscard]] report::TracedPoint traced(const PreparedPoint& point);

/// "bml on bcube(3,2)", with workload and schedule of a training job: for people.
[[nodiscard]] std::string title_of(const PreparedPoint& point);

/// Bytes that the busiest port of any rank sends or receives when the Plans are run once, with
/// elements of this type.
[[nodiscard]] double busiest_port_bytes(std::span<const Plan> plans, Dtype type);
/// Bytes of the busiest port at a point: of a library, what it must send at least.
[[nodiscard]] double busiest_port_bytes(const PreparedPoint& point);

}  // namespace gradwire::run
