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

/// Rows of a run's table, which are computed from samples. results/report/metrics/ has their
/// presentation.
namespace gradwire::record {

/// Rates of a synchronization, in bytes per second.
struct Rates {
  double algbw = 0;                  ///< S / GST
  double busbw = 0;                  ///< algbw times bus_factor
  double nicbw = 0;                  ///< busbw / k
  std::optional<double> efficiency;  ///< bound / GST; 1 is the bound; absent without a bound
};

/// Inputs of rates().
struct Timed {
  Seconds gst{};
  std::optional<Seconds> bound = {};
  std::optional<double> bus_factor = {};  ///< absent: the collective's own
};

/// Computes the rates of a time. Requires gst > 0, ranks > 0 and ports_per_host > 0.
[[nodiscard]] Rates rates(const Configuration& configuration, const Timed& timed);

/// Plan of a training job, made when it began.
struct TrainingPlan {
  std::string profile;           ///< origin of its computing times
  MeasuredCost cost;             ///< cost of synchronizing, measured when the job began
  schedule::Timeline predicted;  ///< one iteration by profile and cost; may be empty
};

/// Part of a row for a training job.
struct TrainingRow {
  TrainingPlan plan;
  Summary iteration;                ///< times of the measured iterations, undilated seconds
  Seconds compute{};                ///< median
  Seconds exposed{};                ///< median
  Seconds jct{};                    ///< time of all measured iterations together
  std::vector<Seconds> bucket_gst;  ///< median synchronization time of each bucket

  /// Exposed share of the iteration in percent: 100 exposed / iteration.
  [[nodiscard]] double exposed_percent() const;
  /// Error of the predicted iteration in percent: 100 (predicted / measured - 1); absent without a
  /// prediction.
  [[nodiscard]] std::optional<double> prediction_error_percent() const;
};

/// Part of a row for a workload of fully connected layers.
struct DenseRow {
  Seconds products{};               ///< median
  Seconds step{};                   ///< GST and products of an iteration; median
  std::optional<double> deviation;  ///< largest, warm-up included; absent: none verified
};

/// Best possible time on a row's wiring, and the price of building it.
struct WiringCost {
  /// Lower bound of any algorithm for the collective (topologies/cut.h), at the payload rate, less
  /// what bursts save. In a row, the median head start of its ranks is subtracted, too; it is 0
  /// where only some iterations have a head start.
  Seconds cut{};
  std::string cut_name;  ///< cables that set it
  topologies::Cost cost;
  std::optional<double> price;  ///< absent without prices
};

/// Numbers of a row's iterations that its statistics leave out or mark.
struct Iterations {
  std::size_t warmup = 0;     ///< before the first that counts
  std::size_t earlier = 0;    ///< in earlier attempts of a training job, whose buckets may differ
  std::size_t disturbed = 0;  ///< iterations that count, but are marked kFlagDisturbed
};

/// Row of the table: one point.
struct Row {
  std::string key;  ///< key of the point (results/record/point_record.h)
  Configuration configuration;
  double dilation = 1;
  std::string integrity = {};             ///< check of the bits, as in PointRecord
  std::optional<double> bus_factor = {};  ///< multiple of S at the busiest NIC, as in PointRecord
  Summary gst;                            ///< GST of the measured iterations, undilated seconds
  /// Lower bound of the median GST, undilated, over all buckets: the point record's bound less the
  /// median head start of the ranks. Unset where only some samples have a head start, the others
  /// being of an older program; where none has one, it is the record's bound.
  std::optional<Seconds> bound;
  std::optional<Seconds> predicted = {};  ///< predicted GST, as in PointRecord
  std::optional<Seconds> latency = {};    ///< GST of hardly any bytes, as in PointRecord
  std::optional<WiringCost> wiring;
  std::optional<TrainingRow> training;
  std::optional<DenseRow> dense = {};
  std::optional<std::int64_t> wrong;  ///< wrong elements, warm-up included; absent: none verified
  std::vector<std::string> flags;     ///< flags of the samples and the run; see row_flags
  Iterations iterations;
  /// Median share of the machine that other programs had during iterations; absent where nobody
  /// measured it.
  std::optional<double> foreign_share = {};

  /// Error of the predicted GST in percent: 100 (predicted / measured - 1); absent without a
  /// prediction.
  [[nodiscard]] std::optional<double> gst_prediction_error_percent() const;
  /// Share of latency in GST; absent where it was not measured.
  [[nodiscard]] std::optional<double> latency_share() const;
  /// Number of all iterations that samples report.
  [[nodiscard]] std::size_t attempted() const {
    return gst.n + iterations.warmup + iterations.earlier;
  }

  [[nodiscard]] Rates rates() const {
    return record::rates(configuration,
                         {.gst = Seconds(gst.median), .bound = bound, .bus_factor = bus_factor});
  }
};

/// The flags of a row, each once: its own, then those that its numbers earn (faster than the bound,
/// high variance, few samples, not verified, wrong data).
[[nodiscard]] std::vector<std::string> row_flags(const Row& row);

}  // namespace gradwire::record
