#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schedule/cost.h"

/// Gradwire's schedules (gradwire list schedules) for gradients that become ready one after the other.
namespace gradwire::pytorch {

/// Which gradients share a synchronization.
struct Buckets {
  std::vector<std::size_t>
      sizes;             ///< how many gradients each has, in the order in which they are ready
  bool overlaps = true;  ///< false: all wait for the last gradient
};

/// The buckets of a schedule by its name, for gradients that are ready at these seconds, which never
/// fall, and have so many bytes each. Throws InputError for a schedule that there is not, one that goes
/// by the clock, and numbers that make no sense.
[[nodiscard]] Buckets choose_buckets(const std::string& schedule, const std::vector<double>& ready,
                                     const std::vector<double>& bytes,
                                     const schedule::Affine& cost);

/// Whether a schedule goes by what a synchronization costs. Throws InputError for one that there is not.
[[nodiscard]] bool goes_by_cost(const std::string& schedule);

/// The line through times, in seconds, that synchronizations of so many bytes took. Throws InputError
/// for fewer than two sizes.
[[nodiscard]] schedule::Affine fit_cost(const std::vector<double>& bytes,
                                        const std::vector<double>& seconds);

}  // namespace gradwire::pytorch
