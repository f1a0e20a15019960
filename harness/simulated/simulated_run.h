#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "harness/campaign.h"
#include "harness/emulated/emulated_run.h"
#include "harness/experiment/experiment.h"
#include "harness/job_record.h"
#include "harness/progress.h"
#include "harness/report/result.h"
#include "harness/report/run_folder.h"
#include "harness/report/trace_file.h"
#include "harness/simulated/simulated_wiring.h"
#include "simulator/simulation.h"

namespace gradwire::harness {

/// Simulates all points of an experiment: one iteration each, since the next would be the same.
class SimulatedRun {
 public:
  /// What emulated wirings were found to be like, by name; empty where there were none.
  using Findings = std::map<std::string, LinkFindings>;

  /// The references must outlive it. With a trace, every point is recorded.
  SimulatedRun(const Experiment& experiment, std::span<const PreparedPoint> points,
               RunFolder& folder, Progress& progress, Findings findings = {},
               TraceFile* trace = nullptr);

  /// Steps of the progress line per point.
  static constexpr std::size_t kSteps = 1000;

  /// Simulates, and appends a sample per point to the folder. A point in which nothing can happen
  /// any more keeps none of the others from being simulated; the first such FabricError is thrown
  /// at the end, with the point's name. Throws InputError, Interrupted; what was simulated before
  /// is in rows() then.
  void measure();

  /// A row for every point that was simulated.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  void simulate_point(std::size_t number);
  [[nodiscard]] Sample simulate_synchronization(const SimulatedWiring& wiring, Seconds& bound);
  [[nodiscard]] Sample simulate_training(const SimulatedWiring& wiring, JobRecord& record);
  [[nodiscard]] JobRecord plan_training(const SimulatedWiring& wiring, JobPlan& chosen,
                                        std::vector<StagedPlan>& staged);
  [[nodiscard]] std::vector<schedule::CostPoint> probe(const SimulatedWiring& wiring) const;
  [[nodiscard]] simulator::NetworkModel model() const;
  [[nodiscard]] simulator::SimulationOptions options(const simulator::Fabric& fabric) const;
  /// Throws InputError at the point's place for a time that no clock can show.
  [[nodiscard]] simulator::Outcome checked(simulator::Outcome outcome) const;
  [[nodiscard]] Seconds bound_of(const SimulatedWiring& wiring, std::span<const Plan> plans) const;
  void trace(const simulator::Outcome& outcome, std::vector<RankIteration> ranks) const;
  void report(double done) const;

  const Experiment& experiment_;
  std::span<const PreparedPoint> points_;
  RunFolder& folder_;
  Progress& progress_;
  Findings findings_;
  TraceFile* trace_;
  const PreparedPoint* point_ = nullptr;  ///< that is being simulated
  std::vector<Row> rows_;
};

}  // namespace gradwire::harness
