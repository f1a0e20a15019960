#include "results/record/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <vector>

#include <boost/math/distributions/binomial.hpp>

#include "core/error.h"

namespace gradwire::record {
namespace {

constexpr double kConfidence = 0.95;

double nearest_rank(std::span<const double> sorted, std::size_t percent) {
  const std::size_t rank = (percent * sorted.size() + 99) / 100;  // ceil, without rounding errors
  return sorted[rank - 1];
}

/// Finds the narrowest symmetric pair of order statistics with enough confidence. The r-th smallest
/// of n lies above the median only if fewer than r samples lie below it, and each does with
/// probability 1/2.
std::optional<MedianInterval> median_interval(std::span<const double> sorted) {
  const boost::math::binomial half_each(static_cast<double>(sorted.size()), 0.5);
  const auto confidence = [&](std::size_t rank) {
    return 1 - 2 * boost::math::cdf(half_each, static_cast<double>(rank - 1));
  };
  const auto ranks = std::views::iota(std::size_t{1}, sorted.size() / 2 + 1);
  const auto first_too_narrow = std::ranges::partition_point(
      ranks, [&](std::size_t rank) { return confidence(rank) >= kConfidence; });
  if (first_too_narrow == ranks.begin()) return std::nullopt;
  const std::size_t rank = *std::ranges::prev(first_too_narrow);
  return MedianInterval{sorted[rank - 1], sorted[sorted.size() - rank], confidence(rank)};
}

double standard_deviation(std::span<const double> samples, double mean) {
  if (samples.size() < 2) return 0;
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

}  // namespace

double median_of(std::span<const double> sorted) {
  ensure(!sorted.empty(), "a median is of at least one sample");
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::midpoint(sorted[half - 1], sorted[half]);
}

Summary summarize(std::span<const double> samples) {
  ensure(!samples.empty(), "a summary is of at least one sample");
  ensure(std::ranges::all_of(samples, [](double sample) { return std::isfinite(sample); }),
         "samples are finite");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  Summary summary{.n = sorted.size(),
                  .median = median_of(sorted),
                  .p95 = nearest_rank(sorted, 95),
                  .p99 = nearest_rank(sorted, 99),
                  .min = sorted.front(),
                  .max = sorted.back(),
                  .median_interval = median_interval(sorted)};
  summary.mean =
      std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  summary.stdev = standard_deviation(sorted, summary.mean);
  if (summary.mean != 0) summary.cv_percent = 100 * summary.stdev / summary.mean;
  return summary;
}

}  // namespace gradwire::record
