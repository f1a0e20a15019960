#include "results/report/compare/rank_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <boost/math/distributions/normal.hpp>

#include "core/error.h"

namespace gradwire::report {
namespace {

constexpr double kTail = 0.025;  // on each side of an interval of 95 %

std::vector<double> sorted(std::span<const double> sample) {
  ensure(!sample.empty(), "a comparison is of at least one value each");
  ensure(std::ranges::all_of(sample, [](double x) { return std::isfinite(x) && x > 0; }),
         "compared values are finite and above 0");
  std::vector<double> values(sample.begin(), sample.end());
  std::ranges::sort(values);
  return values;
}

double pairs_of(std::size_t n, std::size_t m) {
  return static_cast<double>(n) * static_cast<double>(m);
}

/// Whether the (n+m)! / (n! m!) orders of n and m values can be counted in 64 bits.
bool countable(std::size_t n, std::size_t m) {
  double orders = 1;
  for (std::size_t i = 1; i <= std::min(n, m); ++i) {
    orders *= static_cast<double>(std::max(n, m) + i) / static_cast<double>(i);
    if (orders > 0x1p63) return false;
  }
  return true;
}

/// The probabilities P(U <= u) for u = 0, 1, ... n m if the values do not differ and none are
/// equal. n m of values that do not differ and are not equal. The number of orders with U = u is
/// the coefficient of x^u in the product of (1 - x^(l+i)) / (1 - x^i), i from 1 to s, with s and l
/// the smaller and the larger sample. Intermediate results may wrap around; the final ones do not.
std::vector<double> exact_distribution(std::size_t n, std::size_t m) {
  const auto [small, large] = std::minmax(n, m);
  std::vector<std::uint64_t> orders(n * m + 1, 0);
  orders[0] = 1;
  for (std::size_t i = 1; i <= small; ++i) {
    for (std::size_t u = orders.size() - 1; u >= large + i; --u) orders[u] -= orders[u - large - i];
    for (std::size_t u = i; u < orders.size(); ++u) orders[u] += orders[u - i];
  }
  std::uint64_t all = 0;
  for (const std::uint64_t count : orders) all += count;
  std::vector<double> at_most;
  at_most.reserve(orders.size());
  std::uint64_t sum = 0;
  for (const std::uint64_t count : orders) {
    sum += count;
    at_most.push_back(static_cast<double>(sum) / static_cast<double>(all));
  }
  return at_most;
}

/// The standard deviation of U; `ties` is the sum of t^3 - t over the runs of t equal values.
double deviation(std::size_t n, std::size_t m, double ties) {
  const auto total = static_cast<double>(n + m);
  return std::sqrt(pairs_of(n, m) / 12 * (total + 1 - ties / (total * (total - 1))));
}

double count_ties(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all;
  all.reserve(a.size() + b.size());
  std::ranges::merge(a, b, std::back_inserter(all));
  double ties = 0;
  for (auto run = all.begin(); run != all.end();) {
    const auto next = std::find_if(run, all.end(), [&](double x) { return x != *run; });
    const auto length = static_cast<double>(next - run);
    ties += length * length * length - length;
    run = next;
  }
  return ties;
}

/// U of sorted samples.
double count_u(std::span<const double> a, std::span<const double> b) {
  std::uint64_t halves = 0;
  std::size_t below = 0;
  std::size_t not_above = 0;
  for (const double x : b) {
    while (below < a.size() && a[below] < x) ++below;
    while (not_above < a.size() && a[not_above] <= x) ++not_above;
    halves += below + not_above;
  }
  return static_cast<double>(halves) / 2;
}

/// Ratios b/a of sorted samples, in their order; found by counting.
class Ratios {
 public:
  Ratios(std::span<const double> a, std::span<const double> b) : a_(a), b_(b) {}

  [[nodiscard]] std::uint64_t size() const { return std::uint64_t{a_.size()} * b_.size(); }

  /// The rank-th smallest ratio, counted from 1: the smallest number that so many ratios do not
  /// exceed. Numbers above 0 are ordered as their bits are.
  [[nodiscard]] double at(std::uint64_t rank) const {
    auto low = std::bit_cast<std::uint64_t>(b_.front() / a_.back());
    auto high = std::bit_cast<std::uint64_t>(b_.back() / a_.front());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (count_at_most(std::bit_cast<double>(middle)) >= rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return std::bit_cast<double>(low);
  }

  [[nodiscard]] double median() const {
    const std::uint64_t half = (size() + 1) / 2;
    const double lower = at(half);
    if (size() % 2 == 1 || count_at_most(lower) > half) return lower;
    return lower * std::sqrt(at(half + 1) / lower);
  }

 private:
  [[nodiscard]] std::uint64_t count_at_most(double ratio) const {
    std::uint64_t count = 0;
    std::size_t i = 0;  // the first of A that is large enough; a larger b needs a larger one
    for (const double b : b_) {
      while (i < a_.size() && b / a_[i] > ratio) ++i;
      if (i == a_.size()) break;
      count += a_.size() - i;
    }
    return count;
  }

  std::span<const double> a_;
  std::span<const double> b_;
};

/// Ratios that may lie outside on each side, and the probability that all of those inside miss.
struct Cut {
  double outside = -1;  ///< below 0: not even the range of all ratios is enough
  double missed = 0;
};

Cut find_cut(std::size_t n, std::size_t m) {
  if (countable(n, m)) {
    const std::vector<double> at_most = exact_distribution(n, m);
    const auto above = std::ranges::upper_bound(at_most, kTail);
    if (above == at_most.begin()) return {};
    return {static_cast<double>(above - at_most.begin() - 1), 2 * *(above - 1)};
  }
  const boost::math::normal normal(pairs_of(n, m) / 2, deviation(n, m, 0));
  const double outside = std::floor(boost::math::quantile(normal, kTail) - 0.5);
  if (outside < 0) return {};
  return {outside, 2 * boost::math::cdf(normal, outside + 0.5)};
}

}  // namespace

RankTest mann_whitney(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> of_a = sorted(a);
  const std::vector<double> of_b = sorted(b);
  const double pairs = pairs_of(a.size(), b.size());
  RankTest test{.u = count_u(of_a, of_b)};
  const double ties = count_ties(of_a, of_b);
  test.exact = ties == 0 && countable(a.size(), b.size());
  if (test.exact) {
    const auto rarest = static_cast<std::size_t>(std::min(test.u, pairs - test.u));
    test.p = std::min(1.0, 2 * exact_distribution(a.size(), b.size())[rarest]);
    return test;
  }
  const double deviates = std::abs(test.u - pairs / 2) - 0.5;
  const double sigma = deviation(a.size(), b.size(), ties);
  if (deviates <= 0 || !(sigma > 0)) return test;
  test.p = 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), deviates / sigma));
  return test;
}

RatioEstimate estimate_ratio(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> of_a = sorted(a);
  const std::vector<double> of_b = sorted(b);
  const Ratios ratios(of_a, of_b);
  RatioEstimate estimate{.ratio = ratios.median()};
  const Cut cut = find_cut(a.size(), b.size());
  if (cut.outside < 0) return estimate;
  const auto outside = static_cast<std::uint64_t>(cut.outside);
  estimate.interval = RatioInterval{.low = ratios.at(outside + 1),
                                    .high = ratios.at(ratios.size() - outside),
                                    .confidence = 1 - cut.missed};
  return estimate;
}

}  // namespace gradwire::report
