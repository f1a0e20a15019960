#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "results/record/measured_cost.h"
#include "results/record/sample.h"
#include "results/record/statistics.h"
#include "schedule/timeline.h"
#include "topologies/cost.h"

/// What is made of what was measured. What is shown of it: results/report/metrics/.
namespace gradwire::record {

/// What a synchronization time amounts to; bytes per second.
struct Rates {
  double algbw = 0;                  ///< S / GST
  double busbw = 0;                  ///< algbw times bus_factor
  double nicbw = 0;                  ///< busbw / k
  std::optional<double> efficiency;  ///< bound / GST, 1 being the bound; absent without a bound
};

/// What a time amounts to.
struct Timed {
  Seconds gst{};
  std::optional<Seconds> bound = {};
  std::optional<double> bus_factor = {};  ///< absent: that of the collective's name
};

/// Requires gst > 0, ranks > 0 and ports_per_host > 0.
[[nodiscard]] Rates rates(const Configuration& configuration, const Timed& timed);

/// A training job as it was planned when it began.
struct TrainingPlan {
  std::string profile;           ///< where its computing times come from
  MeasuredCost cost;             ///< of synchronizing, as measured when the job began
  schedule::Timeline predicted;  ///< of an iteration, from profile and cost; may be empty
};

/// A training job's share of a row.
struct TrainingRow {
  TrainingPlan plan;
  Summary iteration;                ///< of the measured ones, undilated seconds
  Seconds compute{};                ///< median
  Seconds exposed{};                ///< median
  Seconds jct{};                    ///< all measured iterations together
  std::vector<Seconds> bucket_gst;  ///< median synchronization time of each bucket

  /// 100 exposed / iteration.
  [[nodiscard]] double exposed_percent() const;
  /// 100 (predicted / measured - 1); absent without a prediction.
  [[nodiscard]] std::optional<double> prediction_error_percent() const;
};

/// The share of a row whose workload is fully connected layers.
struct DenseRow {
  Seconds products{};               ///< median
  Seconds step{};                   ///< GST and products of an iteration; median
  std::optional<double> deviation;  ///< the largest, warm-up included; absent: none verified
};

/// What a row's wiring can do at best, and what it takes to build it.
struct WiringCost {
  /// Lower bound of any algorithm for the collective (topologies/cut.h), at the payload rate, less
  /// what bursts save; of a row, less the median head start of its ranks, too, or 0 where only some
  /// iterations say that.
  Seconds cut{};
  std::string cut_name;  ///< the cables that set it
  topologies::Cost cost;
  std::optional<double> price;  ///< absent without prices
};

/// Iterations of a row beside those that its statistics are of.
struct Iterations {
  std::size_t warmup = 0;     ///< before the first that counts
  std::size_t earlier = 0;    ///< of other attempts of a training job, whose buckets may differ
  std::size_t disturbed = 0;  ///< of those that count: marked kFlagDisturbed
};

/// A point's line in the table.
struct Row {
  std::string key;  ///< of the point (results/record/point_record.h)
  Configuration configuration;
  double dilation = 1;
  std::string integrity = {};             ///< as in PointRecord
  std::optional<double> bus_factor = {};  ///< as in PointRecord
  Summary gst;                            ///< of the measured iterations, undilated seconds
  /// What GST's median cannot be below: the bound of the point's record, less the median head start
  /// of its ranks. Undilated, over all buckets. Absent where some samples say their head start and
  /// some, of a program before, do not; where none does, the record's.
  std::optional<Seconds> bound;
  std::optional<Seconds> predicted = {};  ///< as in PointRecord
  std::optional<Seconds> latency = {};    ///< as in PointRecord
  std::optional<WiringCost> wiring;
  std::optional<TrainingRow> training;
  std::optional<DenseRow> dense = {};
  std::optional<std::int64_t> wrong;  ///< wrong elements, warm-up included; absent: none verified
  std::vector<std::string> flags;     ///< of the samples and the run; see row_flags
  Iterations iterations;
  /// Median of the machine's share that other programs had while iterations ran; absent where
  /// nobody looked.
  std::optional<double> foreign_share = {};

  /// 100 (predicted / measured - 1) of GST; absent without a prediction.
  [[nodiscard]] std::optional<double> gst_prediction_error_percent() const;
  /// Latency / GST; absent where it was not measured.
  [[nodiscard]] std::optional<double> latency_share() const;
  /// All iterations that samples tell of.
  [[nodiscard]] std::size_t attempted() const {
    return gst.n + iterations.warmup + iterations.earlier;
  }

  [[nodiscard]] Rates rates() const {
    return record::rates(configuration,
                         {.gst = Seconds(gst.median), .bound = bound, .bus_factor = bus_factor});
  }
};

/// All marks of a row, each once: its own, then those its numbers earn (faster than the bound, high
/// variance, few samples, not verified, wrong data).
[[nodiscard]] std::vector<std::string> row_flags(const Row& row);

}  // namespace gradwire::record
