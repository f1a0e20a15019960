#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/point_record.h"
#include "results/record/row.h"
#include "results/record/sample.h"

namespace gradwire::record {

/// Builder of a point's row from iterations, while measuring and when reading back.
class RowBuilder {
 public:
  /// Whether an iteration has as many buckets as the earlier ones.
  [[nodiscard]] bool takes(const IterationTimes& times) const;
  /// Adds an iteration. Requires takes(times).
  void add(const IterationTimes& times);
  /// Number of iterations added, warm-up included.
  [[nodiscard]] std::size_t added() const { return gst_.size() + iterations_left_.warmup; }
  /// Adds a flag of the point as a whole.
  void mark(const std::string& flag);

  /// Whether no measured iteration was added.
  [[nodiscard]] bool empty() const { return gst_.empty(); }
  /// GST of the measured iterations, in order, undilated seconds.
  [[nodiscard]] std::span<const double> gst() const { return gst_; }
  /// Iteration times of a training job's measured iterations, as gst(); otherwise empty.
  [[nodiscard]] std::span<const double> iterations() const { return iterations_; }
  /// Losses of the measured iterations; empty unless every one has its loss.
  [[nodiscard]] std::span<const double> losses() const {
    return losses_.size() == iterations_.size() ? losses_ : std::span<const double>();
  }

  /// The row, with statistics and flags of the measured iterations and wrong elements of all.
  /// Requires !empty().
  [[nodiscard]] Row row(const PointRecord& record) const;

 private:
  void add_training(const IterationTimes::Training& training);
  void add_dense(const IterationTimes& times);
  [[nodiscard]] TrainingRow training_row(const PointRecord& record) const;

  [[nodiscard]] std::optional<Seconds> less_head_start(Seconds bound) const;
  [[nodiscard]] std::optional<Seconds> bound(const PointRecord& record) const;
  [[nodiscard]] std::optional<WiringCost> wiring(const PointRecord& record) const;

  std::vector<double> gst_;
  Iterations iterations_left_;
  std::vector<bool> disturbed_;         ///< by measured iteration
  std::vector<double> foreign_shares_;  ///< shares of the iterations that have one
  std::vector<double> head_starts_;     ///< head starts of the iterations that have one
  std::vector<double> iterations_;
  std::vector<double> losses_;  ///< losses of the iterations that have one
  std::vector<double> exposed_;
  std::vector<double> compute_;
  std::vector<std::vector<double>> buckets_;  ///< by bucket
  std::vector<double> products_;              ///< product times, of the iterations that have any
  std::vector<double> steps_;                 ///< sums of GST and products of the same iterations
  std::optional<double> deviation_;           ///< the largest
  std::optional<std::int64_t> wrong_;
  std::vector<std::string> flags_;
};

}  // namespace gradwire::record
