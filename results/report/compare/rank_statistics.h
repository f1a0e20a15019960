#pragma once

#include <optional>
#include <span>

/// Rank statistics of two samples: whether one sample's values are larger than the other's, and by
/// which factor, for any distribution. A has n values, B has m, up to a million each; no function
/// forms the n m pairs. Every function requires at least one value in each sample, all finite and
/// above 0, and throws InternalError otherwise; the order of the values does not matter.
namespace gradwire::report {

/// Result of the Mann-Whitney test. H. B. Mann, D. R. Whitney: On a Test of Whether one of Two
/// Random Variables is Stochastically Larger than the Other. Ann. Math. Statist. 18 (1947), 50-60.
struct RankTest {
  double u = 0;  ///< pairs in which B's value is larger, of n m; equal ones count half
  double p = 1;  ///< two-sided: probability of a U as far from n m / 2 if A and B do not differ
  /// Whether p is counted over all orders of the values, which requires that no two are equal and
  /// that the orders fit into 64 bits (20 and 20 do); otherwise it is the normal approximation with
  /// corrections for ties and continuity.
  bool exact = false;
};

[[nodiscard]] RankTest mann_whitney(std::span<const double> a, std::span<const double> b);

/// Confidence interval of the factor, at 95 % at least, for any distributions that differ by a
/// factor: two of the ratios b/a (order statistics; Moses).
struct RatioInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< 1 - 2 P(U < rank of low), exact or approximated as in RankTest
};

/// Estimate of the factor by which B's values exceed A's.
struct RatioEstimate {
  /// Hodges-Lehmann estimate: the median of all n m ratios b/a; for an even number, the geometric
  /// mean of the middle two, so that A against B is the inverse of B against A.
  double ratio = 1;
  std::optional<RatioInterval> interval;  ///< absent when the samples are too few for 95 %
};

/// Estimates the factor from A to B. J. L. Hodges, E. L. Lehmann: Estimates of Location Based on
/// Rank Tests. Ann. Math. Statist. 34 (1963), 598-611; on logarithms.
[[nodiscard]] RatioEstimate estimate_ratio(std::span<const double> a, std::span<const double> b);

}  // namespace gradwire::report
