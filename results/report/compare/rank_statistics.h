#pragma once

#include <optional>
#include <span>

/// Whether one sample's values are larger than another's, and by which factor, whatever
/// distribution they came from. n values of A, m of B, up to a million each: no function forms the
/// n m pairs. Every function requires at least one value in each sample, all finite and above 0,
/// and throws InternalError otherwise; the order of the values does not matter.
namespace gradwire::report {

/// The Mann-Whitney test. H. B. Mann, D. R. Whitney: On a Test of Whether one of Two Random
/// Variables is Stochastically Larger than the Other. Ann. Math. Statist. 18 (1947), 50-60.
struct RankTest {
  double u = 0;  ///< pairs in which B's value is the larger one, of n m; equal ones count half
  double p = 1;  ///< two-sided: how likely a U as far from n m / 2 is if A and B do not differ
  /// Counted over all orders of the values, as long as no two are equal and the orders fit into
  /// 64 bits (20 and 20 do); otherwise from the normal approximation with corrections for ties and
  /// continuity.
  bool exact = false;
};

[[nodiscard]] RankTest mann_whitney(std::span<const double> a, std::span<const double> b);

/// Contains the factor with at least 95 % confidence, whatever the distributions, if they differ by
/// a factor: two of the ratios b/a (order statistics; Moses).
struct RatioInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< 1 - 2 P(U < rank of low), exact or approximated as in RankTest
};

/// By which factor B's values are those of A.
struct RatioEstimate {
  /// Hodges and Lehmann: the median of all n m ratios b/a; of an even number, the geometric mean of
  /// the middle two, so that A against B is the inverse of B against A.
  double ratio = 1;
  std::optional<RatioInterval> interval;  ///< absent when the samples are too few for 95 %
};

/// J. L. Hodges, E. L. Lehmann: Estimates of Location Based on Rank Tests. Ann. Math. Statist. 34
/// (1963), 598-611; on logarithms.
[[nodiscard]] RatioEstimate estimate_ratio(std::span<const double> a, std::span<const double> b);

}  // namespace gradwire::report
