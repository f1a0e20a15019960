#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"
#include "harness/report/measured_cost.h"
#include "harness/report/statistics.h"
#include "schedule/timeline.h"
#include "topologies/cost.h"

/// What is measured, and what is made of it. Definitions: README.md.
namespace gradwire::harness {

/// Backings, as experiments and results name them.
inline constexpr std::string_view kEmulated = "emulated";
inline constexpr std::string_view kSimulated = "simulated";

/// What was measured: the independent variables of a point.
struct Configuration {
  std::size_t point = 0;  ///< its index in the experiment
  std::string backing;
  std::string wiring;
  std::string algorithm;
  std::string workload;            ///< empty: just so many elements
  std::uint64_t batch = 0;         ///< samples per host and iteration; 0: nothing said
  std::string schedule = "none";   ///< what decides the buckets; without computing there is one
  std::size_t ranks = 0;           ///< N
  std::size_t ports_per_host = 0;  ///< k
  std::uint64_t elements = 0;      ///< per rank
  std::string type = "float32";

  /// S: gradient bytes per rank.
  [[nodiscard]] std::uint64_t bytes() const { return elements * sizeof(float); }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

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
  friend bool operator==(const TrainingSample&, const TrainingSample&) = default;
};

/// One iteration of one point.
struct Sample {
  Configuration configuration;
  std::size_t iteration = 0;  ///< from 0, warm-up iterations first
  bool warmup = false;
  double dilation = 1;
  std::vector<RankTimes> ranks;            ///< by rank, at least one
  std::optional<std::int64_t> wrong;       ///< wrong elements of all ranks; absent: not verified
  std::vector<std::string> flags;          ///< harness/report/flags.h
  std::optional<TrainingSample> training;  ///< of a training job

  /// From the last rank's start to the last rank's end, as the clock saw it.
  [[nodiscard]] Nanoseconds wall() const;
  /// The same without dilation: wall / dilation. With computing, the iteration time.
  [[nodiscard]] Seconds duration() const;
  /// Without computing, duration(); with, the synchronization times of all buckets together, each
  /// from the last rank's start to the last rank's end.
  [[nodiscard]] Seconds gst() const;
  /// Requires a training job: how much longer the iteration took than its computing.
  [[nodiscard]] Seconds exposed() const;
};

/// What a synchronization time amounts to; bytes per second.
struct Rates {
  double algbw = 0;                  ///< S / GST
  double busbw = 0;                  ///< algbw 2(N-1)/N
  double nicbw = 0;                  ///< busbw / k
  std::optional<double> efficiency;  ///< bound / GST, 1 being the bound; absent without a bound
};

/// Requires gst > 0, ranks > 0 and ports_per_host > 0.
[[nodiscard]] Rates rates(const Configuration& configuration, Seconds gst,
                          std::optional<Seconds> bound);

/// A training job's share of a row.
struct TrainingRow {
  Summary iteration;                ///< of the measured ones, undilated seconds
  Seconds compute{};                ///< median
  Seconds exposed{};                ///< median
  Seconds jct{};                    ///< all measured iterations together
  std::vector<Seconds> bucket_gst;  ///< median synchronization time of each bucket
  std::string profile;              ///< where its computing times come from
  MeasuredCost cost;                ///< as measured when the job began
  schedule::Timeline predicted;     ///< of an iteration, from profile and cost; may be empty

  /// 100 exposed / iteration.
  [[nodiscard]] double exposed_percent() const;
  /// 100 (predicted / measured - 1); absent without a prediction.
  [[nodiscard]] std::optional<double> prediction_error_percent() const;
};

/// What a row's wiring can do at best, and what it takes to build it.
struct WiringCost {
  Seconds cut{};  ///< lower bound of any all-reduce of S (topologies/cut.h), at the payload rate
  std::string cut_name;  ///< the cables that set it
  topologies::Cost cost;
  std::optional<double> price;  ///< absent without prices
};

/// A point's line in the table.
struct Row {
  Configuration configuration;
  double dilation = 1;
  Summary gst;                   ///< of the measured iterations, undilated seconds
  std::optional<Seconds> bound;  ///< closed form at the payload rate, undilated, over all buckets
  std::optional<WiringCost> wiring;
  std::optional<TrainingRow> training;
  std::optional<std::int64_t> wrong;  ///< wrong elements, warm-up included; absent: none verified
  std::vector<std::string> flags;     ///< of the samples and the run; see row_flags

  [[nodiscard]] Rates rates() const {
    return harness::rates(configuration, Seconds(gst.median), bound);
  }
};

/// Sums up a point: statistics and flags over its measured iterations, wrong elements over all.
/// `samples` are of one configuration and dilation, at least one of them measured; throws
/// InternalError otherwise.
[[nodiscard]] Row make_row(std::span<const Sample> samples, std::optional<Seconds> bound);

/// All marks of a row, each once: its own, then those its numbers earn (faster than the bound, high
/// variance, few samples, not verified, wrong data).
[[nodiscard]] std::vector<std::string> row_flags(const Row& row);

/// One line of samples.ndjson; times in nanoseconds, *_ns.
[[nodiscard]] nlohmann::json to_json(const Sample& sample);
/// One element of results.json's "rows"; times in microseconds (*_us), rates in 1e9 B/s (*_gbs).
[[nodiscard]] nlohmann::json to_json(const Row& row);

}  // namespace gradwire::harness
