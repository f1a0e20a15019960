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

/// Sums up a point, one iteration after the other: what is measured, and read back.
class RowBuilder {
 public:
  /// Whether an iteration has as many buckets as those before.
  [[nodiscard]] bool takes(const IterationTimes& times) const;
  /// Requires takes(times).
  void add(const IterationTimes& times);
  /// All that were added, warm-up included.
  [[nodiscard]] std::size_t added() const { return gst_.size() + iterations_left_.warmup; }
  /// A flag of the point as a whole.
  void mark(const std::string& flag);

  /// No measured iteration was added.
  [[nodiscard]] bool empty() const { return gst_.empty(); }
  /// Of the measured iterations, in order, undilated seconds.
  [[nodiscard]] std::span<const double> gst() const { return gst_; }
  /// The same of a training job's iterations; otherwise empty.
  [[nodiscard]] std::span<const double> iterations() const { return iterations_; }
  /// The losses of the same; empty unless all say theirs.
  [[nodiscard]] std::span<const double> losses() const {
    return losses_.size() == iterations_.size() ? losses_ : std::span<const double>();
  }

  /// Statistics and flags over the measured iterations, wrong elements over all. Requires !empty().
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
  std::vector<double> foreign_shares_;  ///< of the iterations that say theirs
  std::vector<double> head_starts_;     ///< of the iterations that say theirs
  std::vector<double> iterations_;
  std::vector<double> losses_;  ///< of the iterations that say theirs
  std::vector<double> exposed_;
  std::vector<double> compute_;
  std::vector<std::vector<double>> buckets_;  ///< by bucket
  std::vector<double> products_;              ///< of the iterations that say theirs
  std::vector<double> steps_;                 ///< of the same
  std::optional<double> deviation_;           ///< the largest
  std::optional<std::int64_t> wrong_;
  std::vector<std::string> flags_;
};

}  // namespace gradwire::record
