#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/id.h"

namespace gradwire {

/// Gradients whose sum is known exactly, whatever the order of addition.
///
/// Rank r's element e holds x(e, iteration) + y(r), whole numbers below 2^23 / N each: every
/// partial sum stays below 2^24 and is exact in float32. x changes from element to element and from
/// iteration to iteration, y(r) is different for every rank, so an element that is misplaced,
/// stale, missing or counted twice shows.
class Pattern {
 public:
  /// The most ranks whose sums are exact.
  static constexpr std::size_t kMostRanks = 2048;

  /// For the contributions of these ranks in one iteration. Another seed gives other gradients, whose
  /// sums are as exact. Throws InternalError unless there are 1 to kMostRanks of them.
  Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed = 0);

  /// What `rank` contributes to `element`.
  [[nodiscard]] float value(Rank rank, std::size_t element) const;
  /// The sum of all contributions to `element`.
  [[nodiscard]] float sum(std::size_t element) const;

  /// Fills a part of the gradient that begins at element `first`: gradient[e] = value(rank, first +
  /// e).
  void fill(std::span<float> gradient, Rank rank, std::size_t first = 0) const;
  /// The first element of a whole gradient that differs from what fill() puts there; nothing when
  /// all are as they were filled.
  [[nodiscard]] std::optional<std::size_t> find_damaged(std::span<const float> gradient,
                                                        Rank rank) const;
  /// The number of elements that differ from sum(e).
  [[nodiscard]] std::size_t count_wrong(std::span<const float> gradient) const;

 private:
  [[nodiscard]] std::uint32_t of_element(std::size_t element) const {
    auto bits = static_cast<std::uint32_t>(element) * 2654435761U + salt_;
    bits ^= bits >> 15;
    return bits & mask_;
  }
  [[nodiscard]] std::uint32_t of_rank(Rank rank) const;

  std::uint32_t ranks_;
  std::uint32_t mask_;      ///< x(e) <= mask
  std::uint32_t salt_;      ///< by iteration and seed
  std::uint32_t rank_sum_;  ///< sum of y over the contributors
};

}  // namespace gradwire
