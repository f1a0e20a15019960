#pragma once

#include <cstddef>
#include <string>

#include "harness/names/job_plans.h"
#include "jobs/job.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"

namespace gradwire::commands {

/// A job that was run.
struct RanJob {
  const jobs::Job& job;
  const topologies::Topology& topology;
  const names::JobAlgorithms& algorithms;
  const simulator::JobOutcome& outcome;
};

/// What the job is, on which wiring, and with which algorithms.
[[nodiscard]] std::string format_job(const RanJob& ran);
/// How long each iteration took.
[[nodiscard]] std::string format_iterations(const RanJob& ran);
/// The nodes of the last iteration, each with its first start and last end over the ranks that ran it,
/// and the longest that a rank took; `most` of them.
[[nodiscard]] std::string format_nodes(const RanJob& ran, std::size_t most);
/// How much of the last iteration each program's streams were busy, on average over its ranks.
[[nodiscard]] std::string format_streams(const RanJob& ran);
/// The critical path of the last iteration: how long it spends with what, and its last `most` steps.
[[nodiscard]] std::string format_path(const RanJob& ran, std::size_t most);

}  // namespace gradwire::commands
