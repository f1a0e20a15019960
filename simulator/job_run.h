#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "schedule/jobs/program_graph.h"
#include "simulator/jobs.h"
#include "simulator/machine.h"
#include "simulator/meetings.h"

namespace gradwire::simulator {

/// One simulation of jobs, from its first moment to its last: simulate() of jobs.h, whose arguments
/// it refers to.
class JobRun final : private Driver {
 public:
  JobRun(const topologies::Topology& topology, std::span<const Tenant> tenants,
         const PlansOf& plans_of, const NetworkModel& model, const JobsOptions& options);

  [[nodiscard]] std::vector<JobOutcome> run();

 private:
  /// The progress of a rank of a job.
  struct RankState {
    std::uint32_t tenant = 0;
    std::uint32_t rank = 0;
    std::size_t iteration = 0;
    std::size_t nodes_left = 0;
    double begun = 0;                        ///< seconds: begin of the iteration
    double last = 0;                         ///< end of a node in it
    std::vector<double> ready = {};          ///< by node: earliest begin, as far as is known
    std::vector<std::uint32_t> inputs = {};  ///< by node: edges still missing
    std::vector<NodeTimes> times = {};       ///< by node
  };
  struct TenantState {
    std::vector<jobs::ProgramGraph> graphs;
    std::size_t first_rank = 0;  ///< index in ranks_
    Meetings meetings;
  };

  [[nodiscard]] const jobs::Program& program(const RankState& rank) const;
  [[nodiscard]] const jobs::ProgramGraph& graph(const RankState& rank) const;

  void on_end(std::uint32_t collective, std::size_t actor) override;
  void on_alarm(const Alarm& alarm) override;

  void begin_iteration(std::uint32_t actor, double time);
  void end_iteration(std::uint32_t actor);
  /// Begins a node whose time has come.
  void begin(std::uint32_t actor, std::uint32_t node);
  void call(std::uint32_t actor, std::uint32_t node, const jobs::Call& call);
  /// Notes that a node is over. Returns the nodes that had waited for it alone.
  [[nodiscard]] std::vector<std::uint32_t> complete(std::uint32_t actor, std::uint32_t node,
                                                    double end);
  /// Sets an alarm for the beginning of a node that has all its inputs.
  void schedule(std::uint32_t actor, std::uint32_t node);
  void retire_collectives();

  std::span<const Tenant> tenants_;
  const JobsOptions& options_;
  SimulationOptions machine_options_;
  WholeFabric fabric_;
  Machine machine_;
  std::deque<TenantState> states_;
  std::vector<RankState> ranks_;
  /// The nodes that take part in a collective, by collective of the machine, by place.
  std::vector<std::vector<std::uint32_t>> nodes_;
  std::vector<std::uint32_t> tenant_of_;  ///< by collective of the machine
  std::vector<std::uint32_t> over_;  ///< collectives that are over, to be retired after the step
  std::size_t ranks_left_ = 0;       ///< ranks that still have iterations which count
  std::vector<JobOutcome> outcomes_;
};

}  // namespace gradwire::simulator
