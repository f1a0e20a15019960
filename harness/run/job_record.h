#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/units.h"
#include "harness/run/prepare.h"
#include "harness/workers/job.h"
#include "results/record/row.h"
#include "topologies/link_limits.h"

namespace gradwire::run {

/// A training job as it was planned when it began, from what it measured and chose.
struct JobRecord {
  /// Plans by rank, over all buckets; each bucket proven by the checker. Empty when a library sums.
  std::vector<Plan> plans;
  std::vector<std::uint64_t> bucket_elements;
  std::vector<double> port_bytes;  ///< by bucket: what the busiest port of any rank carries
  std::vector<Seconds> bounds;     ///< by bucket, undilated; 0 without a rate
  record::MeasuredCost cost;
  schedule::Timeline predicted;
};

/// Works out what the job's plan means on links with these limits.
///
/// A bucket's predicted time is the measured cost of as many bytes as load the busiest link like
/// it: its own bytes where the algorithm shares the load evenly, those of its busiest server with
/// per-tensor placement, whose cost is measured with a single tensor. Of a library only the bytes
/// are known. Throws InternalError when a bucket's Plans do not synchronize.
[[nodiscard]] JobRecord record_job(const PreparedPoint& point, const workers::JobPlan& plan,
                                   const topologies::LinkLimits& limits);

/// All numbers of a list together; of bounds by bucket, the bound of the whole job.
[[nodiscard]] Seconds total(std::span<const Seconds> times);

/// Part of a training job's record that is kept.
[[nodiscard]] record::TrainingPlan plan_of(const JobRecord& record,
                                           const PreparedTraining& training);

/// Sample of an iteration, put together from what the ranks measured.
[[nodiscard]] record::TrainingSample training_sample(const JobRecord& record,
                                                     std::span<const record::RankIteration> ranks);

/// Marks that an iteration earns: computing late, parameters that differ between ranks.
[[nodiscard]] std::vector<std::string> training_flags(const PreparedTraining& training,
                                                      const record::TrainingSample& sample,
                                                      double dilation,
                                                      std::span<const record::RankIteration> ranks);

}  // namespace gradwire::run
