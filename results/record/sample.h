#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"
#include "results/record/configuration.h"

/// What is measured. What is made of it: gst.h, statistics.h, row.h.
namespace gradwire::record {

/// When one rank's gradient was ready, and when it could use the result: wall time since an instant
/// common to all ranks of the iteration.
struct RankTimes {
  Nanoseconds start{};
  Nanoseconds end{};
  friend bool operator==(const RankTimes&, const RankTimes&) = default;
};

/// A bucket's synchronization in one iteration: wall time since the iteration began, each as the
/// last rank had it.
struct BucketSample {
  std::uint64_t elements = 0;
  Nanoseconds ready{};  ///< its last gradient
  Nanoseconds start{};  ///< ready, and the bucket before it done
  Nanoseconds end{};    ///< the sums usable
  friend bool operator==(const BucketSample&, const BucketSample&) = default;
};

/// What an iteration of a training job adds.
struct TrainingSample {
  Nanoseconds compute{};  ///< wall time until the last rank's backward pass was over
  std::vector<BucketSample> buckets;
  /// Mean of the ranks' losses before the update; of a program that trains a model.
  std::optional<double> loss = {};
  friend bool operator==(const TrainingSample&, const TrainingSample&) = default;
};

/// What an iteration of a job of fully connected layers adds.
struct DenseSample {
  Nanoseconds products{};           ///< processor time of the rank whose products took longest
  std::optional<double> deviation;  ///< of the worst rank's average; absent: not verified
  friend bool operator==(const DenseSample&, const DenseSample&) = default;
};

/// What the machine did while an iteration was emulated on it.
struct MachineUse {
  Seconds capacity{};        ///< wall time of all its processors together
  double foreign_share = 0;  ///< of it: what other programs took, and a hypervisor
  /// Our tasks were ready and did not run, all together: also over 1. Without threads that ended
  /// within the iteration, such as a training job's communication thread.
  double waited_share = 0;
  friend bool operator==(const MachineUse&, const MachineUse&) = default;
};

/// One iteration of one point.
struct Sample {
  std::string key;          ///< of its point (results/record/point_record.h)
  std::size_t attempt = 0;  ///< of the run: 0, or how often it had been resumed
  Configuration configuration;
  std::size_t iteration = 0;  ///< from 0, warm-up iterations first
  bool warmup = false;
  double dilation = 1;
  std::vector<RankTimes> ranks;  ///< by rank, at least one
  /// How much earlier than the last rank the first began, of a training job summed over its
  /// buckets: wall time, no more than the bound. Files of before do not have it.
  std::optional<Nanoseconds> head_start = {};
  std::optional<MachineUse> machine = {};  ///< where the ranks are on this machine
  std::optional<std::int64_t> wrong;       ///< wrong elements of all ranks; absent: not verified
  std::vector<std::string> flags;          ///< results/record/flags.h
  std::optional<TrainingSample> training;  ///< of a training job
  std::optional<DenseSample> dense = {};   ///< of a job of fully connected layers
};

/// What a row takes of an iteration; undilated. Definitions: gst.h.
struct IterationTimes {
  /// What a training job adds.
  struct Training {
    Seconds iteration{};
    Seconds exposed{};
    std::vector<Seconds> buckets;     ///< synchronization time of each
    std::optional<double> loss = {};  ///< as in TrainingSample
  };

  /// What a job of fully connected layers adds. Products take as long at any dilation.
  struct Dense {
    Seconds products;
    std::optional<double> deviation;
  };

  bool warmup = false;
  Seconds gst{};
  std::optional<Training> training;
  std::optional<Dense> dense = {};
  std::optional<std::int64_t> wrong;
  std::vector<std::string> flags;
  std::optional<Seconds> head_start = {};
  std::optional<double> foreign_share = {};
};

}  // namespace gradwire::record
