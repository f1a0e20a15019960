#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "core/goal.h"
#include "core/id.h"
#include "core/pattern_numbers.h"

namespace gradwire {

/// Gradients whose sums are known exactly, whatever the order of addition.
///
/// They are whole numbers. Where at most N ranks contribute to one element, rank r's element e is
///
///     float32, float64     x(e, iteration) + y(r), each below 2^23 / N, or 2^52 / N: every partial
///                          sum is exact
///     int32, int64         x(e, iteration) + y(r), of all bits: sums wrap, in any order to the same
///     float16, bfloat16    of eight of the ranks, which e chooses, a number of 8 bits, or 5; 0 of
///                          the others: every partial sum is at most 2^11, or 2^8, and exact
///     byte                 x(e, iteration) + y(r), modulo 2^8; bytes are never added, so one rank
///                          contributes to an element
///
/// x changes from element to element and from iteration to iteration, y(r) is different for every
/// rank (but for bytes, of 256), so an element that is misplaced, stale, missing or counted twice
/// shows (of a half, where it is not 0).
class Pattern {
 public:
  /// The most ranks whose sums are exact.
  static constexpr std::size_t kMostRanks = 2048;

  /// A float32 pattern for the contributions of these ranks to every element in one iteration.
  /// Another seed gives other gradients, whose sums are as exact. Throws InternalError unless there
  /// are 1 to kMostRanks ranks.
  Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed = 0);
  /// The pattern of a collective's iteration 0: the ranks that begin with an element contribute to
  /// it. Throws InternalError for a goal of more than kMostRanks ranks, and for one that adds
  /// bytes.
  explicit Pattern(const Goal& goal, std::uint64_t seed = 0, Dtype type = Dtype::float32);

  /// Goes to another iteration.
  void turn_to(std::size_t iteration);

  /// The contribution of `rank` to `element`, of an int64 the nearest double. Requires that the
  /// rank contributes to it.
  [[nodiscard]] double value(Rank rank, std::size_t element) const;
  /// The sum of all contributions to `element`; of int64 the nearest double.
  [[nodiscard]] double sum(std::size_t element) const;

  /// Fills a part of the gradient that begins at element `first`: gradient[e] = value(rank, first +
  /// e). Requires that the rank contributes to all of it. Throws InternalError for another type.
  void fill(Elements gradient, Rank rank, std::size_t first = 0) const;
  void fill(std::span<float> gradient, Rank rank, std::size_t first = 0) const {
    fill(Elements(gradient), rank, first);
  }
  /// The first element of a part that fill() filled and that has changed since, counted from the
  /// gradient's beginning. Nothing if none has.
  [[nodiscard]] std::optional<std::size_t> find_damaged(std::same_as<Elements> auto gradient,
                                                        Rank rank, std::size_t first = 0) const {
    return first_damaged(gradient, rank, first);
  }
  [[nodiscard]] std::optional<std::size_t> find_damaged(std::span<const float> gradient,
                                                        Rank rank) const {
    return first_damaged(only_read(gradient), rank, 0);
  }
  /// The number of elements of a part that begins at element `first` that differ from sum(first +
  /// e).
  [[nodiscard]] std::size_t count_wrong(std::same_as<Elements> auto gradient,
                                        std::size_t first = 0) const {
    return count_unlike(gradient, first);
  }
  [[nodiscard]] std::size_t count_wrong(std::span<const float> gradient,
                                        std::size_t first = 0) const {
    return count_unlike(only_read(gradient), first);
  }

  /// The type of its numbers.
  [[nodiscard]] Dtype type() const { return type_; }
  /// The formulas of an extent's elements, for code that fills or verifies outside this process's
  /// memory. Each run says how a rank's contribution, or without a rank the sum, follows from the
  /// element's number. Runs are ascending and have no gaps. Requires that the rank contributes to
  /// all of them.
  [[nodiscard]] std::vector<PatternRun> runs(const Extent& where, std::optional<Rank> rank) const;

 private:
  /// A view of elements that nobody writes to.
  static Elements only_read(std::span<const float> gradient) {
    return std::span(const_cast<float*>(gradient.data()), gradient.size());
  }

  /// Elements, up to `end`, to which the same ranks contribute.
  struct Run {
    std::size_t end = std::numeric_limits<std::size_t>::max();
    std::vector<Rank> ranks = {};  ///< ascending
    std::uint64_t rank_sum = 0;    ///< sum of y over the ranks
  };

  [[nodiscard]] std::optional<std::size_t> first_damaged(Elements gradient, Rank rank,
                                                         std::size_t first) const;
  [[nodiscard]] std::size_t count_unlike(Elements gradient, std::size_t first) const;
  [[nodiscard]] bool is_narrow() const;
  void set_most(std::size_t most);
  [[nodiscard]] std::uint64_t of_rank(Rank rank) const;
  [[nodiscard]] std::vector<Run>::const_iterator run_of(std::size_t element) const;
  /// Calls use(begin, end, number_of) for each run of [first, end), where number_of(e) is a rank's
  /// contribution to element e, or without a rank the sum.
  template <class Use>
  void for_each_run(const Extent& where, std::optional<Rank> rank, Use use) const;
  template <class Use>
  void use_run(const Run& run, std::optional<Rank> rank, Use use) const;
  template <class Use>
  void use_narrow(const Run& run, std::optional<Rank> rank, Use use) const;

  Dtype type_ = Dtype::float32;
  std::uint32_t most_ = 1;  ///< ranks that contribute to one element
  std::uint64_t mask_ = 0;  ///< x(e) <= mask
  std::uint32_t seed_;      ///< scattered over all bits
  std::uint32_t salt_ = 0;  ///< by iteration and seed
  std::vector<Run> runs_;   ///< ascending; the last one has no end
};

}  // namespace gradwire
