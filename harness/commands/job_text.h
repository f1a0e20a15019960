#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/algorithms/job_plans.h"
#include "results/record/backing.h"
#include "schedule/jobs/job.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"

namespace gradwire::commands {

/// Outcome of a job on a backing.
struct BackedOutcome {
  record::Backing backing{};
  const simulator::JobOutcome& outcome;
  std::optional<double> dilation = {};  ///< dilation of an emulation
  std::vector<std::string> notes = {};  ///< sentences on how it was measured
};

/// Job that was run.
struct RanJob {
  const jobs::Job& job;
  const topologies::Topology& topology;
  const algorithms::JobAlgorithms& algorithms;
  std::uint64_t messages = 0;           ///< sum over all iterations, as simulated
  std::vector<BackedOutcome> outcomes;  ///< at least one
};

/// The algorithms of the collectives that the job calls.
[[nodiscard]] std::vector<std::string> called_algorithms(const RanJob& ran);
/// Describes the job, its wiring and its algorithms.
[[nodiscard]] std::string format_job(const RanJob& ran);
// Where there is anything but a simulation, the rows of the tables below say their backing, and those of
// several backings stand below each other.
/// The time of each iteration, as text.
[[nodiscard]] std::string format_iterations(const RanJob& ran);
/// A table of `most` nodes of the last iteration, each with its first start and last end over the
/// ranks that ran it, and the longest time of a rank.
[[nodiscard]] std::string format_nodes(const RanJob& ran, std::size_t most);
/// A table of each program's streams: the share of the last iteration that they were busy, on
/// average over its ranks.
[[nodiscard]] std::string format_streams(const RanJob& ran);
/// A table of the times that the members of each group are in its collectives in the last
/// iteration, and how much of that is exposed (simulator/group_times.h). It has `most` groups, and
/// all together where there are several. Empty for a job without groups.
[[nodiscard]] std::string format_groups(const RanJob& ran, std::size_t most);
/// The critical path of the last iteration on each backing, as text: the time that it spends with
/// each kind of work, and its last `most` steps.
[[nodiscard]] std::string format_path(const RanJob& ran, std::size_t most);

}  // namespace gradwire::commands
