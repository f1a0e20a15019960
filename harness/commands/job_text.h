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

/// What became of a job on a backing.
struct BackedOutcome {
  record::Backing backing{};
  const simulator::JobOutcome& outcome;
  std::optional<double> dilation = {};  ///< of an emulation
  std::vector<std::string> notes = {};  ///< sentences on how it was measured
};

/// A job that was run.
struct RanJob {
  const jobs::Job& job;
  const topologies::Topology& topology;
  const algorithms::JobAlgorithms& algorithms;
  std::uint64_t messages = 0;           ///< of all iterations, as simulated
  std::vector<BackedOutcome> outcomes;  ///< at least one
};

/// What runs the collectives that the job calls.
[[nodiscard]] std::vector<std::string> called_algorithms(const RanJob& ran);
/// What the job is, on which wiring, and with which algorithms.
[[nodiscard]] std::string format_job(const RanJob& ran);
// Where there is anything but a simulation, the rows of the tables below say their backing, and those of
// several backings stand below each other.
/// How long each iteration took.
[[nodiscard]] std::string format_iterations(const RanJob& ran);
/// The nodes of the last iteration, each with its first start and last end over the ranks that ran it,
/// and the longest that a rank took; `most` of them.
[[nodiscard]] std::string format_nodes(const RanJob& ran, std::size_t most);
/// How much of the last iteration each program's streams were busy, on average over its ranks.
[[nodiscard]] std::string format_streams(const RanJob& ran);
/// How long the members of each group are in its collectives in the last iteration, and how much of that
/// is exposed (simulator/group_times.h); of `most` groups, and of all together where there are several.
/// Empty for a job without groups.
[[nodiscard]] std::string format_groups(const RanJob& ran, std::size_t most);
/// The critical path of the last iteration on each backing: how long it spends with what, and its last
/// `most` steps.
[[nodiscard]] std::string format_path(const RanJob& ran, std::size_t most);

}  // namespace gradwire::commands
