#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gradwire::record {

/// An interval that contains the median of the distribution the samples came from with at least
/// 95 % confidence, whatever that distribution is: two of the samples (order statistics).
struct MedianInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< the actual one, >= 0.95: 1 - 2 P(Binomial(n, 1/2) < rank of low)

  friend bool operator==(const MedianInterval&, const MedianInterval&) = default;
};

/// What is reported of n samples; in the samples' unit, but cv.
struct Summary {
  std::size_t n = 0;
  double median = 0;  ///< of an even number: the mean of the middle two
  double p95 = 0;     ///< nearest rank: the sample that is ceil(0.95 n)-th in order
  double p99 = 0;     ///< nearest rank
  double mean = 0;
  double stdev = 0;       ///< of a sample (n - 1), in two passes; 0 for one sample
  double cv_percent = 0;  ///< 100 stdev / mean; 0 where the mean is
  double min = 0;
  double max = 0;
  std::optional<MedianInterval> median_interval;  ///< absent below 6 samples
};

/// The middle of samples that rise; of an even number the mean of the middle two. Throws
/// InternalError where there are none.
[[nodiscard]] double median_of(std::span<const double> sorted);

/// Requires at least one sample, all finite; throws InternalError otherwise.
[[nodiscard]] Summary summarize(std::span<const double> samples);

}  // namespace gradwire::record
