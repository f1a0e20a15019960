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

/// What the harness tells a worker, and what it hears back.
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
  /// Without an algorithm: carry `flows`, each of the workload's elements, or run `graphs`, in whose
  /// calls a rank has that many.
  experiment::Task task;
  Memory memory = Memory::host;               ///< where the gradient lies
  std::vector<testbed::Flow> flows;           ///< a calibration
  std::optional<TrainingJob> training;        ///< absent: no computing, and one bucket
  std::optional<JobGraphs> graphs;            ///< jobs of many collectives, in place of one
  std::vector<transport::PortBinding> ports;  ///< by Port
  execution::TransportSettings transport;
  transport::RunKey key{};
  std::uint64_t seed = 0;     ///< of the gradients' values
  Nanoseconds timeout{};      ///< nothing moves for this long: it fails
  Nanoseconds startup{};      ///< emulated start-up time of a message, dilated
  BitRate rate = kUnlimited;  ///< of its wiring's links, dilated

  /// Whether it only carries flows, to find out what links carry.
  [[nodiscard]] bool is_calibration() const { return !task.algorithm && !graphs; }
};

[[nodiscard]] nlohmann::json to_json(const Job& job);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] Job job_from_json(const nlohmann::json& json);

/// What a training job found out and decided before its first iteration.
struct JobPlan {
  std::vector<schedule::TimedSize> cost;  ///< undilated, by rising size
  std::vector<schedule::Bucket> buckets;  ///< of layers, in backward order
  bool overlaps = true;

  static constexpr auto kFields =
      fields(field("cost", &JobPlan::cost), field("buckets", &JobPlan::buckets),
             field("overlaps", &JobPlan::overlaps));
};

/// How an iteration is run.
struct IterationRequest {
  std::size_t iteration = 0;
  bool check = false;  ///< verify the result, outside the timed part
  bool trace = false;  ///< note every transfer

  friend bool operator==(const IterationRequest&, const IterationRequest&) = default;

  static constexpr auto kFields =
      fields(field("iteration", &IterationRequest::iteration),
             field("check", &IterationRequest::check), field("trace", &IterationRequest::trace));
};

/// What the job synchronizes in all; of a calibration, each flow.
[[nodiscard]] algorithms::Amount amount_of(const Job& job);
/// A rank's Plan of the job's algorithm for some amount, or of its flows. Throws InputError when
/// the job does not make sense.
[[nodiscard]] Plan plan_of(const Job& job, const algorithms::Amount& amount);
/// What the job's algorithm achieves: who contributes to the sum and who needs it. In a calibration
/// nobody does either, and its elements are those that the flows need.
[[nodiscard]] Goal goal_of(const Job& job);

}  // namespace gradwire::workers
