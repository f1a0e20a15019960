#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/experiment/experiment.h"
#include "harness/run/job_record.h"
#include "harness/run/link_findings.h"
#include "harness/run/prepare.h"
#include "harness/run/simulated/simulated_wiring.h"
#include "harness/workers/job.h"
#include "results/record/rank_iteration.h"
#include "results/record/row.h"
#include "results/record/sample.h"
#include "results/report/trace_file.h"
#include "simulator/simulation.h"

namespace gradwire::run {

/// One iteration of a point in virtual time.
struct SimulatedIteration {
  record::Sample sample;               ///< with key, configuration and flags; its attempt is 0
  std::vector<Seconds> bounds;         ///< by bucket, before sample.head_start is taken off
  topologies::LinkLimits limits = {};  ///< limits of the bounds; bursts come back before each
  std::optional<record::TrainingPlan> plan;  ///< plan of a training job
  std::vector<record::RankIteration> ranks;  ///< by actor, with transfers where they are recorded
};

/// Simulates one point of an experiment. The same input gives the same result, to the bit.
class PointSimulation {
 public:
  struct Options {
    LinkFinding links;                         ///< findings on the same links when emulated
    std::optional<workers::JobPlan> job = {};  ///< its buckets; absent: by simulated costs
    report::TraceFile* trace = nullptr;        ///< takes every rank, recorded, if there is one
    std::function<void(double done)> progress = {};  ///< called with 0 to 1; what it throws ends it
  };

  /// Chooses what is simulated: all ranks, or one for all. The references must outlive it. Throws
  /// as SimulatedWiring does.
  PointSimulation(const experiment::Experiment& experiment, const PreparedPoint& point,
                  Options options);

  /// Messages that are simulated for each bucket of the point, as rank 0's Plan has them.
  [[nodiscard]] std::uint64_t messages_per_bucket() const;

  /// Simulates the iteration. Throws FabricError when nothing can happen any more, InputError at
  /// the point's place for a time that no clock can show, Interrupted.
  [[nodiscard]] SimulatedIteration run();

 private:
  /// A training job with its buckets chosen.
  struct TrainingJob {
    JobRecord record;
    std::vector<simulator::Stage> stages;  ///< by bucket
    /// First step by actor and bucket, among those of all buckets, which follow each other.
    std::vector<std::vector<std::size_t>> first_steps;
    bool is_incast = false;  ///< any of its buckets
  };

  [[nodiscard]] SimulatedIteration synchronize() const;
  [[nodiscard]] SimulatedIteration train() const;
  /// Whether a fabric that drops packets would lose some of these Plans' first windows.
  [[nodiscard]] bool is_incast(std::span<const Plan> plans) const;
  /// Takes the times and transfers of the outcome over, and into the trace.
  void take(const simulator::Outcome& outcome, SimulatedIteration& iteration) const;
  [[nodiscard]] TrainingJob plan_training() const;
  [[nodiscard]] std::vector<schedule::TimedSize> probe() const;
  [[nodiscard]] simulator::NetworkModel model() const;
  [[nodiscard]] simulator::SimulationOptions settings_for(std::size_t transfers) const;
  /// Throws InputError at the point's place for a time that no clock can show.
  [[nodiscard]] simulator::Outcome checked(simulator::Outcome outcome) const;
  [[nodiscard]] Seconds bound_of(std::span<const Plan> plans) const;

  const experiment::Experiment& experiment_;
  const PreparedPoint& point_;
  Options options_;
  SimulatedWiring wiring_;
};

}  // namespace gradwire::run
