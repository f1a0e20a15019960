#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"
#include "results/record/configuration.h"

/// Samples, which are measured. gst.h, statistics.h and row.h compute the rest from them.
namespace gradwire::record {

/// Times of one rank: when its gradient was ready, and when it could use the result. Wall time
/// since an instant common to all ranks of the iteration.
struct RankTimes {
  Nanoseconds start{};
  Nanoseconds end{};
  friend bool operator==(const RankTimes&, const RankTimes&) = default;
};

/// Times of a bucket in one iteration: wall time since the iteration began, each the last rank's.
struct BucketSample {
  std::uint64_t elements = 0;
  Nanoseconds ready{};  ///< when its last gradient was ready
  Nanoseconds start{};  ///< when it was ready and the bucket before it done
  Nanoseconds end{};    ///< when the sums were usable
  friend bool operator==(const BucketSample&, const BucketSample&) = default;
};

/// Additional part of a training job's iteration.
struct TrainingSample {
  Nanoseconds compute{};  ///< wall time until the last rank's backward pass ended
  std::vector<BucketSample> buckets;
  /// Mean of the ranks' losses before the update, for a program that trains a model.
  std::optional<double> loss = {};
  friend bool operator==(const TrainingSample&, const TrainingSample&) = default;
};

/// Additional part of an iteration of fully connected layers.
struct DenseSample {
  Nanoseconds products{};           ///< processor time of the rank whose products took longest
  std::optional<double> deviation;  ///< deviation of the worst rank's average; absent: not verified
  friend bool operator==(const DenseSample&, const DenseSample&) = default;
};

/// Use of the machine while an iteration was emulated on it.
struct MachineUse {
  Seconds capacity{};        ///< wall time of all its processors together
  double foreign_share = 0;  ///< share of other programs, and of a hypervisor
  /// Share of capacity for which our tasks were ready and did not run, all added up, so that it may
  /// exceed 1. Without threads that ended within the iteration, such as a training job's
  /// communication thread.
  double waited_share = 0;
  friend bool operator==(const MachineUse&, const MachineUse&) = default;
};

/// Measurement of one iteration of one point.
struct Sample {
  std::string key;          ///< key of its point (results/record/point_record.h)
  std::size_t attempt = 0;  ///< attempt of the run: 0, or how often it had been resumed
  Configuration configuration;
  std::size_t iteration = 0;  ///< number from 0, warm-up iterations first
  bool warmup = false;
  double dilation = 1;
  std::vector<RankTimes> ranks;  ///< by rank, at least one
  /// Wall time by which the first rank began before the last; for a training job summed over its
  /// buckets. No more than the bound. Absent in older files.
  std::optional<Nanoseconds> head_start = {};
  std::optional<MachineUse> machine = {};  ///< use of this machine, where the ranks are on it
  std::optional<std::int64_t> wrong;       ///< wrong elements of all ranks; absent: not verified
  std::vector<std::string> flags;          ///< results/record/flags.h
  std::optional<TrainingSample> training;  ///< part for a training job
  std::optional<DenseSample> dense = {};   ///< part for fully connected layers
};

/// Values that a row takes from an iteration; undilated. gst.h defines them.
struct IterationTimes {
  /// Additional values of a training job.
  struct Training {
    Seconds iteration{};
    Seconds exposed{};
    std::vector<Seconds> buckets;     ///< synchronization time of each
    std::optional<double> loss = {};  ///< loss, as in TrainingSample
  };

  /// Additional values of a job of fully connected layers. Products take as long at any dilation.
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
