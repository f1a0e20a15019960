#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "results/report/compare/rank_statistics.h"

/// Leads: how much less time one row takes than another, and how sure that is.
namespace gradwire::report {

/// Reason why one time may be called less than another, or may not.
enum class Surety : std::uint8_t {
  computed,  ///< both times are simulated, free of chance, and differ by more than rounding
  interval,  ///< the interval of the ratio lies above 1
  apart,     ///< too few samples for an interval, but their ranges lie far apart: is_far_apart
  single,    ///< one of the two has a single sample, so its variation is unknown
  spoiled,   ///< one of the two has a flag that keeps it out of comparisons (record::spoils)
  unclear,   ///< the interval contains 1, or few samples do not lie far enough apart
};

/// The reason's name: "computed", "interval", "apart", "single", "spoiled", "unclear".
[[nodiscard]] std::string_view to_string(Surety surety);

/// Largest share by which two times may differ, not clearly, and still take about as long.
inline constexpr double kTie = 5e-4;

struct Lead {
  std::size_t samples_of_less = 0;
  std::size_t samples_of_more = 0;
  RatioEstimate ratio;  ///< ratio of the longer times to the shorter ones
  /// Gap between all samples of the shorter time and all of the longer one, in units of the wider
  /// of the two ranges; below 0 where the ranges overlap; absent where neither has a range.
  std::optional<double> gap;
  Surety surety = Surety::unclear;

  /// Whether the time may be called less: computed, interval or apart.
  [[nodiscard]] bool is_clear() const;

  /// Whether both count as taking about as long: neither may be called less, no flag spoils them,
  /// and the ratio is within kTie of 1.
  [[nodiscard]] bool is_tie() const;

  /// Whether either may be the faster one: a tie, or samples that do not decide it. For single
  /// samples and spoiled rows, nothing is known but their ratio.
  [[nodiscard]] bool may_be_equal() const;
};

/// Whether ranges with this gap (Lead) are farther apart than chance makes them: at least 1 for
/// five samples or more, at least 3 for two and two. Among normal, uniform, exponential and
/// log-normal samples that do not differ, fewer than 1 in 20 pairs are.
[[nodiscard]] bool is_far_apart(double gap, std::size_t samples);

/// Computes the lead of `less`, the times with the smaller median, over `more`. Requires what
/// estimate_ratio does. Never returns spoiled, as flags are not known here.
[[nodiscard]] Lead lead_of(std::span<const double> less, std::span<const double> more,
                           bool simulated);

}  // namespace gradwire::report
