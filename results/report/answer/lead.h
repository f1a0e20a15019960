#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "results/report/compare/rank_statistics.h"

/// By how much one row takes less time than another, and how sure that is.
namespace gradwire::report {

/// Why one time is called less than another, or is not.
enum class Surety : std::uint8_t {
  computed,  ///< both times are simulated, without chance, and differ by more than rounding
  interval,  ///< the interval of the ratio lies above 1
  apart,     ///< too few samples for an interval, but their ranges lie far apart: is_far_apart
  single,    ///< one of the two has a single sample: how much it varies is not known
  spoiled,   ///< one of the two has a flag that keeps it out of comparisons (record::spoils)
  unclear,   ///< the interval contains 1, or few samples do not lie far enough apart
};

/// "computed", "interval", "apart", "single", "spoiled", "unclear".
[[nodiscard]] std::string_view to_string(Surety surety);

/// Times that are off each other by less, as a share, and not clearly, take about as long.
inline constexpr double kTie = 5e-4;

struct Lead {
  std::size_t samples_of_less = 0;
  std::size_t samples_of_more = 0;
  RatioEstimate ratio;  ///< of the longer times to the shorter ones
  /// How far all samples of the shorter time lie below all of the longer one, in the wider of the
  /// two ranges; below 0 where the ranges overlap; absent where neither has a range.
  std::optional<double> gap;
  Surety surety = Surety::unclear;

  /// Whether the time may be called less: computed, interval or apart.
  [[nodiscard]] bool is_clear() const;

  /// Whether a reader is told that both take about as long: neither may be called less, no flag
  /// spoils them, and the ratio is within kTie of 1.
  [[nodiscard]] bool is_tie() const;

  /// Whether a reader may take either for the faster one: a tie, or samples that do not tell. Of one
  /// sample each, and of spoiled ones, nothing is known but their ratio.
  [[nodiscard]] bool may_be_equal() const;
};

/// Whether ranges of this gap (Lead) are further apart than chance puts those of samples that do
/// not differ: at least 1 for five samples or more, at least 3 for two and two. Of normal, uniform,
/// exponential and log-normal samples that do not differ, fewer than 1 in 20 pairs are.
[[nodiscard]] bool is_far_apart(double gap, std::size_t samples);

/// `less` holds the times with the smaller median. Requires what estimate_ratio does. Flags are not
/// known here: never spoiled.
[[nodiscard]] Lead lead_of(std::span<const double> less, std::span<const double> more,
                           bool simulated);

}  // namespace gradwire::report
