#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schedule/cost.h"

/// Schedules of Gradwire (gradwire list schedules) for gradients that become ready one after the
/// other.
namespace gradwire::pytorch {

/// Grouping of gradients that share a synchronization.
struct Buckets {
  std::vector<std::size_t>
      sizes;  ///< number of gradients in each bucket, in the order in which they are ready
  bool overlaps = true;  ///< false: all buckets wait for the last gradient
};

/// Chooses the buckets of a schedule for gradients that are ready at these seconds, which never
/// fall, and have so many bytes each. Throws InputError for an unknown schedule, for one that needs
/// a clock, and for numbers that make no sense.
[[nodiscard]] Buckets choose_buckets(const std::string& schedule, const std::vector<double>& ready,
                                     const std::vector<double>& bytes,
                                     const schedule::Affine& cost);

/// Whether a schedule depends on the cost of a synchronization. Throws InputError for an unknown
/// one.
[[nodiscard]] bool goes_by_cost(const std::string& schedule);

/// Fits a line to the times, in seconds, that synchronizations of so many bytes took. Throws
/// InputError for fewer than two sizes.
[[nodiscard]] schedule::Affine fit_cost(const std::vector<double>& bytes,
                                        const std::vector<double>& seconds);

}  // namespace gradwire::pytorch
