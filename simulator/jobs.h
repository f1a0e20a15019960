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

/// Runs jobs on a wiring in virtual time.
namespace gradwire::simulator {

/// A job, and where and when it runs.
struct Tenant {
  const jobs::Job& job;        ///< of which jobs::check() finds nothing wrong
  std::vector<Rank> seats;     ///< by rank of the job: the host that runs it; each once
  Seconds start{};             ///< of its first iteration; finite, not below 0
  std::size_t iterations = 1;  ///< that count; at least 1
};

/// Makes the Plans of a collective among these hosts, by place in the group; a Plan's ranks are hosts.
/// Asked once for each kind of call (its slot is 0) and each group.
using PlansOf =
    std::function<std::vector<Plan>(const jobs::Call& call, std::span<const Rank> hosts)>;

/// When a rank ran a node, in seconds.
struct NodeTimes {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  double start = 0;
  double end = 0;
  std::uint32_t cause = kNone;  ///< the node of the rank that was over last of those before it
};

/// What became of one job.
struct JobOutcome {
  std::vector<double> ends;  ///< by iteration that counts, of its last rank; seconds
  std::vector<std::vector<NodeTimes>> nodes;  ///< by rank, node: in the last of these iterations
  std::uint64_t messages = 0;                 ///< of the collectives that it began

  /// How long an iteration took, in seconds: since the one before ended, or since `start`.
  [[nodiscard]] double duration(std::size_t iteration, Seconds start) const;
};

/// How jobs are run.
struct JobsOptions {
  /// Jobs go on beyond the iterations that count while others are not done with theirs, so that all
  /// have the same company throughout.
  bool goes_on = false;
  /// Called now and then. What it throws ends the simulation.
  std::function<void()> progress = {};
};

/// Runs the jobs together. A rank begins its next iteration when all its nodes are over. Any number of
/// collectives is under way at once, each with channels of its own; all share links max-min fair, and
/// nothing else: computing takes its time whoever else is there. A collective's Plan runs on a member
/// as soon as that has called it. Elements have the size of the call's type.
///
/// Deterministic. The wiring, the jobs and `plans_of` must outlive the call.
[[nodiscard]] std::vector<JobOutcome> simulate(const topologies::Topology& topology,
                                               std::span<const Tenant> tenants,
                                               const PlansOf& plans_of, const NetworkModel& model,
                                               const JobsOptions& options = {});

}  // namespace gradwire::simulator
