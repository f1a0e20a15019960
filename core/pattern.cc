#include "core/pattern.h"

#include <bit>

#include "core/error.h"

namespace gradwire {
namespace {

constexpr std::uint32_t kHalf = 1U << 23;  // x and y take half of 2^24 each

/// 32 bits that all bits of the seed decide.
std::uint32_t scattered(std::uint64_t seed) {
  return static_cast<std::uint32_t>((seed ^ (seed >> 29)) * 0xff51afd7ed558ccd >> 32);
}

}  // namespace

Pattern::Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed)
    : ranks_(static_cast<std::uint32_t>(contributors.size())),
      salt_(static_cast<std::uint32_t>(iteration) * 0x9E3779B9U + scattered(seed)),
      rank_sum_(0) {
  ensure(!contributors.empty() && contributors.size() <= kMostRanks,
         "a pattern has 1 to kMostRanks contributors");
  mask_ = std::bit_floor(kHalf / ranks_) - 1;
  for (const Rank rank : contributors) rank_sum_ += of_rank(rank);
}

std::uint32_t Pattern::of_rank(Rank rank) const {
  // Different in the last digit to base kMostRanks for every rank; scattered above it where there
  // is room, so that no two ranks add up to a third.
  const std::uint32_t room = kHalf / ranks_ / std::uint32_t{kMostRanks};
  const std::uint32_t scatter = room > 1 ? (rank.value * 2654435761U >> 16) % (room - 1) : 0;
  return rank.value + 1 + std::uint32_t{kMostRanks} * scatter;
}

float Pattern::value(Rank rank, std::size_t element) const {
  return static_cast<float>(of_element(element) + of_rank(rank));
}

float Pattern::sum(std::size_t element) const {
  return static_cast<float>(of_element(element) * ranks_ + rank_sum_);
}

void Pattern::fill(std::span<float> gradient, Rank rank, std::size_t first) const {
  const std::uint32_t offset = of_rank(rank);
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    gradient[e] = static_cast<float>(static_cast<std::int32_t>(of_element(first + e) + offset));
  }
}

std::optional<std::size_t> Pattern::find_damaged(std::span<const float> gradient, Rank rank) const {
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    if (!(gradient[e] == value(rank, e))) return e;  // so written that a NaN differs
  }
  return std::nullopt;
}

std::size_t Pattern::count_wrong(std::span<const float> gradient) const {
  std::size_t wrong = 0;
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    const auto expected = static_cast<std::int32_t>(of_element(e) * ranks_ + rank_sum_);
    wrong += gradient[e] == static_cast<float>(expected) ? 0 : 1;
  }
  return wrong;
}

}  // namespace gradwire
