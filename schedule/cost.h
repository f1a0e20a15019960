#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "core/fields.h"
#include "core/units.h"

/// The time that synchronizing a bucket takes, as a function of its bytes.
namespace gradwire::schedule {

/// The cost a + b M (TPDS eq. 10): a start-up time, and a time per byte.
struct Affine {
  Seconds a{};
  double b = 0;  ///< seconds per byte

  /// The time of so many bytes.
  [[nodiscard]] constexpr Seconds at(double bytes) const { return a + Seconds(b * bytes); }
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// The cost of two collectives one after the other, such as push and pull.
[[nodiscard]] constexpr Affine operator+(const Affine& first, const Affine& second) {
  return {first.a + second.a, first.b + second.b};
}

/// A size, with the measured time of a collective of so many bytes.
struct TimedSize {
  double bytes = 0;
  Seconds time{};

  static constexpr auto kFields =
      row(field("bytes", &TimedSize::bytes), field("time_s", &TimedSize::time));
};

/// A cost of straight lines between measured points. Below the first point the time is that of the
/// first. Beyond the last it is that of the line fitted to all points (fit_line), but never less
/// than that of the last: two points alone can be so far off that a slope between them is flat.
/// With a single point, times beyond it grow in proportion to the bytes.
class CostTable {
 public:
  /// A table of points by rising bytes, each size once, at least one. Throws InputError otherwise,
  /// and for a size or time that is not above 0 and finite.
  explicit CostTable(std::vector<TimedSize> points);

  /// The time of so many bytes.
  [[nodiscard]] Seconds at(double bytes) const;
  /// The measured points, by rising bytes.
  [[nodiscard]] std::span<const TimedSize> points() const { return points_; }

 private:
  std::vector<TimedSize> points_;
  Affine beyond_;
};

/// A cost as a formula, or as measured points.
using Cost = std::variant<Affine, CostTable>;

/// The time of synchronizing so many bytes.
[[nodiscard]] Seconds time_of(const Cost& cost, double bytes);

/// The cost of synchronizing, assumed or measured, and the line through it. Rules that know only a
/// start-up time and a bandwidth go by the line.
struct CostModel {
  Cost cost;
  Affine line;
};

/// A line fitted to points.
struct Fit {
  Affine line;
  double r_squared = 0;  ///< 1: all points on the line
};

/// Fits the line with the least sum of squared deviations; r_squared = 1 - that sum / the sum of
/// squared deviations from the mean time. A negative intercept is cut to 0 and the slope fitted
/// again through the origin; a negative slope is cut to 0, and the mean time remains. Throws
/// InputError for fewer than two different sizes.
[[nodiscard]] Fit fit_line(std::span<const TimedSize> points);

}  // namespace gradwire::schedule
