#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/units.h"
#include "harness/run/emulated/emulated_wiring.h"
#include "harness/run/progress.h"
#include "harness/workers/session/session.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"
#include "transport/execution/settings.h"

namespace gradwire::run {

/// Wiring and links that jobs are emulated on. Times and rates are undilated.
struct JobsGround {
  std::shared_ptr<const topologies::Topology> topology;
  BitRate rate;
  std::size_t mtu = 0;
  Nanoseconds startup{};           ///< start-up time of a message
  std::optional<double> dilation;  ///< absent: as the machine allows
  Nanoseconds timeout = std::chrono::seconds(10);
};

/// Jobs that are to be run at once, and what is known before.
struct JobsToRun {
  std::span<const simulator::Tenant> tenants;
  std::span<const std::string> algorithms;  ///< names as algorithms::JobAlgorithms takes them
  /// Iterations that each tenant runs, by tenant, those that count first. More of them keep the
  /// others company until they are done with theirs.
  std::vector<std::size_t> iterations;
  std::size_t runs = 1;  ///< beside the one that checks everything
  Seconds expected{};    ///< duration of a run, as simulated
  Seconds longest{};     ///< longest time that a rank may wait for others, as simulated
};

/// Measurements of jobs that ran at once. Times are undilated.
struct MeasuredJobs {
  std::vector<std::vector<simulator::JobOutcome>>
      runs;  ///< by run, tenant; messages are not counted
  std::vector<std::uint64_t>
      wrong;  ///< by tenant: elements of results that are not what they should be
  std::vector<std::uint64_t> verified;  ///< by tenant: results that were looked at
  std::size_t disturbed = 0;            ///< runs beside which other programs kept the machine busy
  std::vector<std::string> flags;       ///< results/record/flags.h
};

/// The run in the middle of several, by when the tenant's last iteration that counts was over.
[[nodiscard]] const simulator::JobOutcome& middle_run(const MeasuredJobs& measured,
                                                      std::size_t tenant);

/// A wiring that stands, on which jobs are emulated over tcp.
class EmulatedJobs {
 public:
  /// Builds and calibrates it. Progress and clock must outlive it. Must run inside
  /// testbed::run_in_sandbox. Throws InputError, Preflight, FabricError, Interrupted, SystemError.
  EmulatedJobs(JobsGround ground, Progress& progress, const Clock& clock);

  /// Factor by which everything runs slower than asked for.
  [[nodiscard]] double dilation() const { return dilation_; }

  /// Runs the jobs once with every result verified, which is not timed, then as often as asked for.
  /// `what` says what they are, for progress. Throws InputError where they do not fit the machine, and
  /// FabricError, Interrupted, SystemError.
  [[nodiscard]] MeasuredJobs measure(const JobsToRun& jobs, const std::string& what);

 private:
  [[nodiscard]] workers::Job job_of(const JobsToRun& jobs, std::size_t rank_elements) const;
  void add_run(const JobsToRun& jobs, std::span<const record::RankIteration> ranks,
               MeasuredJobs& measured) const;
  /// Adds what the jobs put on every port in all runs together, and what one call puts on the busiest
  /// one.
  void plan_traffic(const JobsToRun& jobs, std::vector<PlannedTraffic>& planned,
                    std::vector<double>& busiest) const;
  [[nodiscard]] Nanoseconds dilated(Seconds time) const;

  JobsGround ground_;
  Progress& progress_;
  const Clock& clock_;
  execution::TransportSettings transport_;
  double dilation_;
  std::unique_ptr<EmulatedWiring> wiring_;
};

}  // namespace gradwire::run
