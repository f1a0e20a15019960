#include "core/sum_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/rounding.h"
#include "core/with_type.h"

namespace gradwire {
namespace {

/// The largest finite number of a type.
double largest_of(Dtype type) {
  switch (type) {
    case Dtype::float16:
      return 65504;
    case Dtype::float32:
      return std::numeric_limits<float>::max();
    case Dtype::bfloat16:
      return 0x1.fep127;
    default:
      return std::numeric_limits<double>::max();
  }
}

/// The tolerances for sums of so many terms.
struct Limits {
  double error = 0;       ///< largest error of magnitudes that add up to 1
  double least_over = 0;  ///< smaller magnitudes never leave the type's range
};

Limits limits_of(Dtype type, std::size_t terms) {
  const auto n = static_cast<double>(terms);
  const double error = rounding_bound(n - 1, unit_roundoff(type));
  const double reference = rounding_bound(n + 1, unit_roundoff(Dtype::float64));
  return {.error = error + reference, .least_over = largest_of(type) / (1 + error + reference)};
}

/// The terms of one sum.
class Terms {
 public:
  void add(double term) {
    if (std::isnan(term)) has_nan_ = true;
    if (std::isinf(term)) (term > 0 ? has_plus_ : has_minus_) = true;
    (term > 0 ? positive_ : negative_) += term;
  }

  /// Whether some order of additions makes this sum of the terms.
  [[nodiscard]] bool may_make(double sum, const Limits& limits) const {
    if (has_nan_ || (has_plus_ && has_minus_)) return std::isnan(sum);
    if (!std::isfinite(sum)) return may_leave(sum, limits);
    if (has_plus_ || has_minus_) return false;
    const double off = std::abs(sum - (positive_ + negative_));
    return !(off > limits.error * (positive_ - negative_));  // also where a bound is no number
  }

 private:
  /// Whether the terms may add up to an infinity or, if both infinities are possible, to NaN.
  [[nodiscard]] bool may_leave(double sum, const Limits& limits) const {
    const bool above = positive_ >= limits.least_over;
    const bool below = -negative_ >= limits.least_over;
    if (std::isnan(sum)) return above && below;
    return sum > 0 ? above && !has_minus_ : below && !has_plus_;
  }

  double positive_ = 0;
  double negative_ = 0;
  bool has_nan_ = false;
  bool has_plus_ = false;
  bool has_minus_ = false;
};

template <class T>
std::vector<std::span<const T>> views(std::span<const Elements> terms) {
  std::vector<std::span<const T>> all;
  for (const Elements& each : terms) all.push_back(each.as<T>());
  return all;
}

template <class T>
SumFindings check_whole(std::span<const Elements> terms, std::span<const T> sums) {
  using Wrapping = std::make_unsigned_t<T>;
  const auto all = views<T>(terms);
  SumFindings found{.checked = sums.size()};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    Wrapping sum = 0;
    for (const auto& each : all) sum = static_cast<Wrapping>(sum + static_cast<Wrapping>(each[i]));
    found.wrong += sum == static_cast<Wrapping>(sums[i]) ? 0 : 1;
  }
  return found;
}

template <class T>
SumFindings check_real(std::span<const Elements> terms, const Elements& sums) {
  const Limits limits = limits_of(sums.type(), terms.size());
  const auto all = views<T>(terms);
  const std::span<const T> made = sums.as<T>();
  SumFindings found{.checked = made.size()};
  for (std::size_t i = 0; i < made.size(); ++i) {
    Terms here;
    for (const auto& each : all) here.add(as_double(each[i]));
    const double sum = as_double(made[i]);
    found.wrong += here.may_make(sum, limits) ? 0 : 1;
    found.not_finite += std::isfinite(sum) ? 0 : 1;
  }
  return found;
}

}  // namespace

SumFindings& SumFindings::operator+=(const SumFindings& more) {
  checked += more.checked;
  wrong += more.wrong;
  not_finite += more.not_finite;
  return *this;
}

SumFindings check_sums(std::span<const Elements> terms, const Elements& sums) {
  const auto is_alike = [&sums](const Elements& each) {
    return each.type() == sums.type() && each.size() == sums.size();
  };
  ensure(sums.type() != Dtype::byte && !terms.empty() && std::ranges::all_of(terms, is_alike),
         "sums have terms of their type, as many as they are");
  return with_type(sums.type(), [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      return check_whole<T>(terms, sums.as<T>());
    } else {
      return check_real<T>(terms, sums);
    }
  });
}

}  // namespace gradwire
