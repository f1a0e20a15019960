#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/jobs.h"

/// What jobs on one fabric do to each other.
namespace gradwire::simulator {

/// The bytes that an iteration of a job sends over every directed link (topologies::link_number).
[[nodiscard]] std::vector<double> link_bytes(const topologies::Topology& topology,
                                             const Tenant& tenant, const PlansOf& plans_of);

/// What a rank of a job sends to another in an iteration.
struct RankFlow {
  Rank from;
  Rank to;
  double bytes = 0;
};

/// Who sends what to whom in an iteration of a job that stands on the wiring's first hosts.
[[nodiscard]] std::vector<RankFlow> rank_flows(const jobs::Job& job, const PlansOf& plans_of);

/// The link of a job that is busiest with all jobs together, if others use it.
struct SharedLink {
  std::uint32_t link = 0;           ///< topologies::link_number
  double seconds = 0;               ///< that it needs for one iteration of every job
  double own_seconds = 0;           ///< for this job's share of these
  std::vector<std::size_t> others;  ///< jobs that use it, too; ascending
};

/// What became of jobs that ran together.
struct Company {
  std::vector<double> alone;     ///< by job: seconds of an iteration without the others
  std::vector<double> together;  ///< by job: the same with all others
  /// By job i and j: an iteration of i beside j alone, in units of alone[i]; 1 where i is j, and where
  /// they share no link. Empty where it was not asked for.
  std::vector<std::vector<double>> slowdown;
  /// By job: of its links that others use, the one that needs longest for an iteration of all.
  std::vector<std::optional<SharedLink>> links;
};

/// Runs every job alone, all together and, if `pairs`, each beside each. All begin as their tenants
/// say, and go on until every job has had its iterations; an iteration is the mean of those that count.
/// Pairs that share no link are not run: they cannot notice each other.
[[nodiscard]] Company keep_company(const topologies::Topology& topology,
                                   std::span<const Tenant> tenants, const PlansOf& plans_of,
                                   const NetworkModel& model, bool pairs = true);

}  // namespace gradwire::simulator
