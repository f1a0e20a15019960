#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "harness/experiment/experiment.h"
#include "harness/run/job_record.h"
#include "harness/run/measuring/link_findings.h"
#include "harness/run/point_records.h"
#include "harness/run/prepare.h"
#include "harness/run/progress.h"
#include "harness/run/simulated/simulated_wiring.h"
#include "results/record/row.h"
#include "results/record/run_folder.h"
#include "results/report/trace_file.h"
#include "simulator/simulation.h"

namespace gradwire::run {

/// What is simulated, and where it goes. The references must outlive the SimulatedBacking.
struct SimulatedContext {
  const experiment::Experiment& experiment;
  std::span<const PreparedPoint> points;
  record::RunFolder& folder;
  Progress& progress;
  LinkFindings findings = {};          ///< of the same links when they were emulated, if they were
  report::TraceFile* trace = nullptr;  ///< with one, every point is recorded
};

/// Simulates all points of an experiment: one iteration each, since the next would be the same.
class SimulatedBacking {
 public:
  explicit SimulatedBacking(SimulatedContext context);

  /// Steps of the progress line per point.
  static constexpr std::size_t kSteps = 1000;

  /// Simulates every point, and keeps record, sample and timeline of each point in
  /// it. A point in which nothing can happen any more keeps none of the others from being
  /// simulated; the first such FabricError is thrown at the end, with the point's name. Throws
  /// InputError, Interrupted, SystemError.
  void measure();

 private:
  /// A point's one iteration.
  struct Simulated {
    record::Sample sample;
    Seconds bound{};
    std::optional<record::TrainingPlan> plan;
    std::vector<record::RankIteration> ranks;  ///< by actor
  };

  void simulate_point();
  [[nodiscard]] Simulated simulate_synchronization(const SimulatedWiring& wiring);
  [[nodiscard]] Simulated simulate_training(const SimulatedWiring& wiring);
  /// Takes the times and transfers of the outcome over, and into the trace.
  void take(const simulator::Outcome& outcome, Simulated& simulated) const;
  [[nodiscard]] JobRecord plan_training(const SimulatedWiring& wiring, workers::JobPlan& chosen,
                                        std::vector<StagedPlan>& staged);
  [[nodiscard]] std::vector<schedule::CostPoint> probe(const SimulatedWiring& wiring) const;
  [[nodiscard]] simulator::NetworkModel model() const;
  [[nodiscard]] simulator::SimulationOptions options(const simulator::Fabric& fabric,
                                                     std::size_t transfers) const;
  /// Throws InputError at the point's place for a time that no clock can show.
  [[nodiscard]] simulator::Outcome checked(simulator::Outcome outcome) const;
  [[nodiscard]] Seconds bound_of(const SimulatedWiring& wiring, std::span<const Plan> plans) const;
  void report(double done) const;

  SimulatedContext context_;
  const PreparedPoint* point_ = nullptr;  ///< that is being simulated
  PointRecords records_;
};

}  // namespace gradwire::run
