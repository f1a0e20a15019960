#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/jobs.h"

/// The effect of jobs on each other on one fabric.
namespace gradwire::simulator {

/// The bytes that an iteration of a job sends over every directed link (topologies::link_number).
[[nodiscard]] std::vector<double> link_bytes(const topologies::Topology& topology,
                                             const Tenant& tenant, const PlansOf& plans_of);

/// The bytes that a rank of a job sends to another in an iteration.
struct RankFlow {
  Rank from;
  Rank to;
  double bytes = 0;
};

/// The flows between ranks in an iteration of a job that runs on the wiring's first hosts.
[[nodiscard]] std::vector<RankFlow> rank_flows(const jobs::Job& job, const PlansOf& plans_of);

/// The link of a job that is busiest with all jobs together, if others use it.
struct SharedLink {
  std::uint32_t link = 0;           ///< topologies::link_number
  double seconds = 0;               ///< time for one iteration of every job
  double own_seconds = 0;           ///< this job's share of that time
  std::vector<std::size_t> others;  ///< other jobs that use it; ascending
};

/// The times of jobs that ran together.
struct Company {
  std::vector<double> alone;     ///< by job: seconds of an iteration without the others
  std::vector<double> together;  ///< by job: seconds of an iteration with all others
  /// The time of an iteration of job i beside job j alone, in units of alone[i], by i and j; 1 if i
  /// is j, and if they share no link. Empty if it was not asked for.
  std::vector<std::vector<double>> slowdown;
  /// The shared link of each job that needs longest for an iteration of all jobs.
  std::vector<std::optional<SharedLink>> links;
};

/// Runs every job alone, all together and, if `pairs`, each beside each other. All begin at their
/// tenants' times, and continue until every job has had its iterations; an iteration's time is the
/// mean of those that count. Pairs that share no link are not run: they cannot affect each other.
[[nodiscard]] Company keep_company(const topologies::Topology& topology,
                                   std::span<const Tenant> tenants, const PlansOf& plans_of,
                                   const NetworkModel& model, bool pairs = true);

}  // namespace gradwire::simulator
