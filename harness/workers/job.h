#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "collectives/algorithms/algorithm.h"
#include "core/fields.h"
#include "core/goal.h"
#include "core/memory.h"
#include "core/plan.h"
#include "core/units.h"
#include "harness/experiment/compute.h"
#include "harness/experiment/task.h"
#include "harness/workers/job_graphs.h"
#include "results/record/rank_iteration.h"
#include "schedule/policy.h"
#include "testbed/calibration.h"
#include "transport/authentication.h"
#include "transport/execution/settings.h"
#include "transport/port_binding.h"
#include "workloads/profile.h"

/// Messages between the harness and its workers.
namespace gradwire::workers {

/// The computing half of a training job.
struct TrainingJob {
  std::vector<workloads::Layer> layers;  ///< in forward order; their names stay at home
  double dilation = 1;                   ///< computing takes so many times as long
  experiment::ProcessorLoad load = experiment::ProcessorLoad::wait;
};

/// A rank's task and the means to run it, until the worker is told something else. It travels as
/// text: wiring, algorithm, workload and schedule by their names.
struct Job {
  Rank rank;
  /// Synchronized, if it has an algorithm. Else the worker carries `flows`, each of the workload's
  /// elements, or runs `graphs`, in whose calls a rank has that many.
  experiment::Task task;
  Memory memory = Memory::host;               ///< holds the gradient
  std::vector<testbed::Flow> flows;           ///< a calibration
  std::optional<TrainingJob> training;        ///< absent: no computing, and one bucket
  std::optional<JobGraphs> graphs;            ///< jobs of many collectives, in place of one
  std::vector<transport::PortBinding> ports;  ///< by Port
  execution::TransportSettings transport;
  transport::RunKey key{};
  std::uint64_t seed = 0;     ///< makes the gradients' values
  Nanoseconds timeout{};      ///< nothing moves for this long: it fails
  Nanoseconds startup{};      ///< emulated start-up time of a message, dilated
  BitRate rate = kUnlimited;  ///< each link's, dilated

  /// Whether it only carries flows, to find out what links carry.
  [[nodiscard]] bool is_calibration() const { return !task.algorithm && !graphs; }
};

[[nodiscard]] nlohmann::json to_json(const Job& job);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] Job job_from_json(const nlohmann::json& json);

/// Costs that a training job measured, and the buckets that it chose, before its first iteration.
struct JobPlan {
  std::vector<schedule::TimedSize> cost;  ///< undilated, by rising size
  std::vector<schedule::Bucket> buckets;  ///< ranges of layers, in backward order
  bool overlaps = true;

  static constexpr auto kFields =
      fields(field("cost", &JobPlan::cost), field("buckets", &JobPlan::buckets),
             field("overlaps", &JobPlan::overlaps));
};

/// Order to run an iteration.
struct IterationRequest {
  std::size_t iteration = 0;
  bool check = false;  ///< verify the result, outside the timed part
  bool trace = false;  ///< note every transfer

  friend bool operator==(const IterationRequest&, const IterationRequest&) = default;

  static constexpr auto kFields =
      fields(field("iteration", &IterationRequest::iteration),
             field("check", &IterationRequest::check), field("trace", &IterationRequest::trace));
};

/// Amount that the job synchronizes in all; that each flow of a calibration carries.
[[nodiscard]] algorithms::Amount amount_of(const Job& job);
/// A rank's Plan of the job's algorithm for some amount, or of its flows. Throws InputError when
/// the job does not make sense.
[[nodiscard]] Plan plan_of(const Job& job, const algorithms::Amount& amount);
/// Goal of the job's algorithm: who contributes to the sum and who needs it. In a calibration nobody
/// does either, and its elements are those that the flows need.
[[nodiscard]] Goal goal_of(const Job& job);

}  // namespace gradwire::workers
