#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/goal.h"
#include "core/id.h"

namespace gradwire {

/// Gradients whose sums are known exactly, whatever the order of addition.
///
/// Rank r's element e holds x(e, iteration) + y(r), whole numbers below 2^23 / N each, where at most
/// N ranks contribute to one element: every partial sum stays below 2^24 and is exact in float32. x
/// changes from element to element and from iteration to iteration, y(r) is different for every
/// rank, so an element that is misplaced, stale, missing or counted twice shows.
class Pattern {
 public:
  /// The most ranks whose sums are exact.
  static constexpr std::size_t kMostRanks = 2048;

  /// For the contributions of these ranks to every element in one iteration. Another seed gives
  /// other gradients, whose sums are as exact. Throws InternalError unless there are 1 to kMostRanks
  /// of them.
  Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed = 0);
  /// For iteration 0 of a collective: who begins with an element contributes to it. Throws
  /// InternalError for a goal of more than kMostRanks ranks.
  explicit Pattern(const Goal& goal, std::uint64_t seed = 0);

  /// Goes to another iteration.
  void turn_to(std::size_t iteration);

  /// What `rank` contributes to `element`, if it does.
  [[nodiscard]] float value(Rank rank, std::size_t element) const;
  /// The sum of all contributions to `element`.
  [[nodiscard]] float sum(std::size_t element) const;

  /// Fills a part of the gradient that begins at element `first`: gradient[e] = value(rank, first +
  /// e).
  void fill(std::span<float> gradient, Rank rank, std::size_t first = 0) const;
  /// The first element of such a part that differs from what fill() puts there, counted from the
  /// gradient's beginning; nothing when all are as they were filled.
  [[nodiscard]] std::optional<std::size_t> find_damaged(std::span<const float> gradient, Rank rank,
                                                        std::size_t first = 0) const;
  /// The number of elements of such a part that differ from sum(first + e).
  [[nodiscard]] std::size_t count_wrong(std::span<const float> gradient,
                                        std::size_t first = 0) const;

 private:
  /// Elements, up to `end`, that the same ranks contribute to.
  struct Run {
    std::size_t end = std::numeric_limits<std::size_t>::max();
    std::uint32_t ranks = 0;     ///< how many
    std::uint32_t rank_sum = 0;  ///< sum of y over them
  };

  [[nodiscard]] std::uint32_t of_element(std::size_t element) const {
    auto bits = static_cast<std::uint32_t>(element) * 2654435761U + salt_;
    bits ^= bits >> 15;
    return bits & mask_;
  }
  [[nodiscard]] std::uint32_t of_rank(Rank rank) const;
  [[nodiscard]] std::vector<Run>::const_iterator run_of(std::size_t element) const;
  void set_most(std::size_t most);

  std::uint32_t most_ = 1;  ///< ranks that contribute to one element
  std::uint32_t mask_ = 0;  ///< x(e) <= mask
  std::uint32_t seed_;      ///< scattered over all bits
  std::uint32_t salt_ = 0;  ///< by iteration and seed
  std::vector<Run> runs_;   ///< ascending; the last one has no end
};

}  // namespace gradwire
