#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/id.h"
#include "core/plan.h"
#include "core/units.h"
#include "schedule/jobs/job.h"
#include "simulator/simulation.h"
#include "topologies/topology.h"

/// The simulation of jobs on a wiring in virtual time.
namespace gradwire::simulator {

/// A job, with the place and time of its run.
struct Tenant {
  const jobs::Job& job;        ///< jobs::check() must find nothing wrong with it
  std::vector<Rank> seats;     ///< by rank of the job: the host that runs it; each once
  Seconds start{};             ///< start of its first iteration; finite, not below 0
  std::size_t iterations = 1;  ///< number that count; at least 1
};

/// Makes the Plans of a collective among these hosts, by place in the group; a Plan's ranks are
/// hosts. Called once for each kind of call (its slot is 0) and each group.
using PlansOf =
    std::function<std::vector<Plan>(const jobs::Call& call, std::span<const Rank> hosts)>;

/// The times at which a rank ran a node, in seconds.
struct NodeTimes {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  double start = 0;
  double end = 0;
  std::uint32_t cause = kNone;  ///< the rank's node that was over last of those it waited for
};

/// The result of one job.
struct JobOutcome {
  std::vector<double> ends;  ///< by iteration that counts: end of its last rank; seconds
  /// The times in the last of these iterations, by rank, node.
  std::vector<std::vector<NodeTimes>> nodes;
  std::uint64_t messages = 0;  ///< messages of the collectives that it began

  /// The duration of an iteration in seconds: since the end of the one before, or since `start`.
  [[nodiscard]] double duration(std::size_t iteration, Seconds start) const;
};

/// The options of a run of jobs.
struct JobsOptions {
  /// Whether jobs continue beyond the iterations that count while others are not done with theirs,
  /// so that all have the same company throughout.
  bool goes_on = false;
  /// A function that is called now and then. An exception from it ends the simulation.
  std::function<void()> progress = {};
};

/// Runs the jobs together. A rank begins its next iteration when all its nodes are over. Any number
/// of collectives is under way at once, each with channels of its own; all share links max-min
/// fair, and nothing else: computing takes the same time whatever else runs. A collective's Plan
/// runs on a member as soon as the member has called it. Elements have the size of the call's type.
///
/// Deterministic. The wiring, the jobs and `plans_of` must outlive the call.
[[nodiscard]] std::vector<JobOutcome> simulate(const topologies::Topology& topology,
                                               std::span<const Tenant> tenants,
                                               const PlansOf& plans_of, const NetworkModel& model,
                                               const JobsOptions& options = {});

}  // namespace gradwire::simulator
