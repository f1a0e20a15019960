#include "core/pattern.h"

#include <algorithm>
#include <bit>
#include <map>

#include "core/error.h"

namespace gradwire {
namespace {

constexpr std::uint32_t kHalf = 1U << 23;  // x and y take half of 2^24 each

/// 32 bits that all bits of the seed decide.
std::uint32_t scattered(std::uint64_t seed) {
  return static_cast<std::uint32_t>((seed ^ (seed >> 29)) * 0xff51afd7ed558ccd >> 32);
}

/// Ranks that begin with the elements from here on, and that do no more.
struct Change {
  std::vector<Rank> joining;
  std::vector<Rank> leaving;
};

}  // namespace

Pattern::Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed)
    : seed_(scattered(seed)) {
  ensure(!contributors.empty() && contributors.size() <= kMostRanks,
         "a pattern has 1 to kMostRanks contributors");
  set_most(contributors.size());
  turn_to(iteration);
  Run all{.ranks = most_};
  for (const Rank rank : contributors) all.rank_sum += of_rank(rank);
  runs_ = {all};
}

Pattern::Pattern(const Goal& goal, std::uint64_t seed) : seed_(scattered(seed)) {
  ensure(goal.begins.size() <= kMostRanks, "a pattern is of at most kMostRanks ranks");
  std::map<std::size_t, Change> changes;  // by element
  for (std::size_t i = 0; i < goal.begins.size(); ++i) {
    for (const Extent& extent : goal.begins[i]) {
      changes[extent.first].joining.emplace_back(i);
      changes[extent.end()].leaving.emplace_back(i);
    }
  }
  std::size_t most = 1;
  std::size_t ranks = 0;
  for (const auto& [element, change] : changes) {
    ranks = ranks + change.joining.size() - change.leaving.size();
    most = std::max(most, ranks);
  }
  set_most(most);
  turn_to(0);
  Run run;
  for (const auto& [element, change] : changes) {
    run.end = element;
    runs_.push_back(run);
    for (const Rank rank : change.joining) {
      ++run.ranks;
      run.rank_sum += of_rank(rank);
    }
    for (const Rank rank : change.leaving) {
      --run.ranks;
      run.rank_sum -= of_rank(rank);
    }
  }
  runs_.emplace_back();
}

void Pattern::set_most(std::size_t most) {
  most_ = static_cast<std::uint32_t>(most);
  mask_ = std::bit_floor(kHalf / most_) - 1;
}

void Pattern::turn_to(std::size_t iteration) {
  salt_ = static_cast<std::uint32_t>(iteration) * 0x9E3779B9U + seed_;
}

std::uint32_t Pattern::of_rank(Rank rank) const {
  // Different in the last digit to base kMostRanks for every rank; scattered above it where there
  // is room, so that no two ranks add up to a third.
  const std::uint32_t room = kHalf / most_ / std::uint32_t{kMostRanks};
  const std::uint32_t scatter = room > 1 ? (rank.value * 2654435761U >> 16) % (room - 1) : 0;
  return rank.value + 1 + std::uint32_t{kMostRanks} * scatter;
}

std::vector<Pattern::Run>::const_iterator Pattern::run_of(std::size_t element) const {
  return std::ranges::upper_bound(runs_, element, {}, &Run::end);
}

float Pattern::value(Rank rank, std::size_t element) const {
  return static_cast<float>(of_element(element) + of_rank(rank));
}

float Pattern::sum(std::size_t element) const {
  const auto run = run_of(element);
  return static_cast<float>(of_element(element) * run->ranks + run->rank_sum);
}

void Pattern::fill(std::span<float> gradient, Rank rank, std::size_t first) const {
  const std::uint32_t offset = of_rank(rank);
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    gradient[e] = static_cast<float>(static_cast<std::int32_t>(of_element(first + e) + offset));
  }
}

std::optional<std::size_t> Pattern::find_damaged(std::span<const float> gradient, Rank rank,
                                                 std::size_t first) const {
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    if (!(gradient[e] == value(rank, first + e))) return first + e;  // a NaN differs so, too
  }
  return std::nullopt;
}

std::size_t Pattern::count_wrong(std::span<const float> gradient, std::size_t first) const {
  std::size_t wrong = 0;
  const std::size_t end = first + gradient.size();
  auto run = run_of(first);
  for (std::size_t begin = first; begin < end; ++run) {
    const std::size_t until = std::min(run->end, end);
    const auto [run_end, ranks, rank_sum] = *run;
    for (std::size_t e = begin; e < until; ++e) {
      const auto expected = static_cast<std::int32_t>(of_element(e) * ranks + rank_sum);
      wrong += gradient[e - first] == static_cast<float>(expected) ? 0 : 1;
    }
    begin = until;
  }
  return wrong;
}

}  // namespace gradwire
