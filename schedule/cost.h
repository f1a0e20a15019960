#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "core/units.h"

/// How long it takes to synchronize a bucket, as a function of its bytes.
namespace gradwire::schedule {

/// a + b M (TPDS eq. 10): a start-up time, and a time per byte.
struct Affine {
  Seconds a{};
  double b = 0;  ///< seconds per byte

  [[nodiscard]] constexpr Seconds at(double bytes) const { return a + Seconds(b * bytes); }
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// Two collectives one after the other, such as push and pull.
[[nodiscard]] constexpr Affine operator+(const Affine& first, const Affine& second) {
  return {first.a + second.a, first.b + second.b};
}

/// A measured size.
struct CostPoint {
  double bytes = 0;
  Seconds time{};
};

/// A line through measured points: below the first its time, beyond the last the slope of the last
/// segment, or none where that falls (a single point: its time in proportion).
class CostTable {
 public:
  /// Points by rising bytes, each size once, at least one. Throws InputError otherwise, and for a
  /// size or time that is not above 0 and finite.
  explicit CostTable(std::vector<CostPoint> points);

  [[nodiscard]] Seconds at(double bytes) const;
  [[nodiscard]] std::span<const CostPoint> points() const { return points_; }

 private:
  std::vector<CostPoint> points_;
};

using Cost = std::variant<Affine, CostTable>;

[[nodiscard]] Seconds time_of(const Cost& cost, double bytes);

/// What a synchronization costs, as assumed or measured, and the line through it. Rules that know
/// only a start-up time and a bandwidth go by the line.
struct CostModel {
  Cost cost;
  Affine line;
};

/// A least-squares line through points.
struct Fit {
  Affine line;
  double r_squared = 0;  ///< 1: all points on the line
};

/// Minimizes the sum of squared deviations; r_squared = 1 - that sum / the one around the mean
/// time. A negative intercept is cut to 0 and the slope fitted again through the origin; a negative
/// slope is cut to 0, and the mean time remains. Throws InputError for fewer than two different
/// sizes.
[[nodiscard]] Fit fit_line(std::span<const CostPoint> points);

}  // namespace gradwire::schedule
