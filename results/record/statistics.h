#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gradwire::record {

/// Confidence interval of the median of the samples' distribution, at 95 % at least, for any
/// distribution: two of the samples (order statistics).
struct MedianInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< actual, >= 0.95: 1 - 2 P(Binomial(n, 1/2) < rank of low)

  friend bool operator==(const MedianInterval&, const MedianInterval&) = default;
};

/// Statistics of n samples; all but cv in the samples' unit.
struct Summary {
  std::size_t n = 0;
  double median = 0;  ///< middle sample; of an even number, the mean of the middle two
  double p95 = 0;     ///< nearest rank: the sample that is ceil(0.95 n)-th in order
  double p99 = 0;     ///< nearest rank
  double mean = 0;
  double stdev = 0;       ///< deviation of a sample (n - 1), in two passes; 0 for one sample
  double cv_percent = 0;  ///< 100 stdev / mean; 0 where the mean is
  double min = 0;
  double max = 0;
  std::optional<MedianInterval> median_interval;  ///< absent below 6 samples
};

/// The median of ascending samples; for an even number, the mean of the middle two. Throws
/// InternalError where there are none.
[[nodiscard]] double median_of(std::span<const double> sorted);

/// Summarizes samples. Requires at least one, all finite; throws InternalError otherwise.
[[nodiscard]] Summary summarize(std::span<const double> samples);

}  // namespace gradwire::record
