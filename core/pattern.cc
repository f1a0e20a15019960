#include "core/pattern.h"

#include <algorithm>
#include <bit>
#include <map>

#include "core/error.h"
#include "core/with_type.h"

namespace gradwire {
namespace {

constexpr std::uint32_t kHalf32 = 1U << 23;                // x and y take half of 2^24 each
constexpr std::uint64_t kHalf64 = std::uint64_t{1} << 52;  // and of 2^53

/// A hash of 32 bits in which every bit depends on all bits of the seed.
std::uint32_t scattered(std::uint64_t seed) {
  return static_cast<std::uint32_t>((seed ^ (seed >> 29)) * 0xff51afd7ed558ccd >> 32);
}

/// The ranks that begin with the elements from here on, and those that no longer do.
struct Change {
  std::vector<Rank> joining;
  std::vector<Rank> leaving;
};

std::map<std::size_t, Change> changes_of(const Goal& goal) {
  std::map<std::size_t, Change> changes;  // by element
  for (std::size_t i = 0; i < goal.begins.size(); ++i) {
    for (const Extent& extent : goal.begins[i]) {
      changes[extent.first].joining.emplace_back(i);
      changes[extent.end()].leaving.emplace_back(i);
    }
  }
  return changes;
}

}  // namespace

Pattern::Pattern(std::span<const Rank> contributors, std::size_t iteration, std::uint64_t seed)
    : seed_(scattered(seed)) {
  ensure(!contributors.empty() && contributors.size() <= kMostRanks,
         "a pattern has 1 to kMostRanks contributors");
  set_most(contributors.size());
  turn_to(iteration);
  Run all{.ranks = {contributors.begin(), contributors.end()}};
  for (const Rank rank : contributors) all.rank_sum += of_rank(rank);
  runs_ = {std::move(all)};
}

Pattern::Pattern(const Goal& goal, std::uint64_t seed, Dtype type)
    : type_(type), seed_(scattered(seed)) {
  ensure(goal.begins.size() <= kMostRanks, "a pattern is of at most kMostRanks ranks");
  const std::map<std::size_t, Change> changes = changes_of(goal);
  std::size_t most = 1;
  std::size_t ranks = 0;
  for (const auto& [element, change] : changes) {
    ranks = ranks + change.joining.size() - change.leaving.size();
    most = std::max(most, ranks);
  }
  ensure(type != Dtype::byte || most == 1, "bytes move, and are never added");
  set_most(most);
  turn_to(0);
  Run run;
  for (const auto& [element, change] : changes) {
    run.end = element;
    runs_.push_back(run);
    for (const Rank rank : change.joining) {
      run.ranks.insert(std::ranges::upper_bound(run.ranks, rank), rank);
      run.rank_sum += of_rank(rank);
    }
    for (const Rank rank : change.leaving) {
      run.ranks.erase(std::ranges::lower_bound(run.ranks, rank));
      run.rank_sum -= of_rank(rank);
    }
  }
  runs_.emplace_back();
}

bool Pattern::is_narrow() const {
  return type_ == Dtype::float16 || type_ == Dtype::bfloat16;
}

void Pattern::set_most(std::size_t most) {
  most_ = static_cast<std::uint32_t>(most);
  mask_ = std::numeric_limits<std::uint64_t>::max();
  if (type_ == Dtype::float32) mask_ = std::bit_floor(kHalf32 / most_) - 1;
  if (type_ == Dtype::float64) mask_ = std::bit_floor(kHalf64 / most_) - 1;
}

void Pattern::turn_to(std::size_t iteration) {
  salt_ = static_cast<std::uint32_t>(iteration) * 0x9E3779B9U + seed_;
}

std::uint64_t Pattern::of_rank(Rank rank) const {
  if (type_ == Dtype::float64) return mixed(rank.value) % (kHalf64 / most_);
  if (type_ != Dtype::float32) return mixed(rank.value);
  // Different in the last digit to base kMostRanks for every rank; scattered above it where there
  // is room, so that no two ranks add up to a third.
  const std::uint32_t room = kHalf32 / most_ / std::uint32_t{kMostRanks};
  const std::uint32_t scatter = room > 1 ? (rank.value * 2654435761U >> 16) % (room - 1) : 0;
  return rank.value + 1 + std::uint32_t{kMostRanks} * scatter;
}

std::vector<Pattern::Run>::const_iterator Pattern::run_of(std::size_t element) const {
  return std::ranges::upper_bound(runs_, element, {}, &Run::end);
}

template <class Use>
void Pattern::use_run(const Run& run, std::optional<Rank> rank, Use use) const {
  const auto ranks = static_cast<std::uint32_t>(rank ? 1 : run.ranks.size());
  const std::uint64_t of_ranks = rank ? of_rank(*rank) : run.rank_sum;
  const std::uint64_t salt = std::uint64_t{salt_} << 32;
  if (type_ == Dtype::float32) {
    use(Number32{.mask = static_cast<std::uint32_t>(mask_),
                 .salt = salt_,
                 .ranks = ranks,
                 .of_ranks = static_cast<std::uint32_t>(of_ranks)});
  } else if (!is_narrow()) {
    use(Number64{.mask = mask_, .salt = salt, .ranks = ranks, .of_ranks = of_ranks});
  } else {
    use_narrow(run, rank, use);
  }
}

template <class Use>
void Pattern::use_narrow(const Run& run, std::optional<Rank> rank, Use use) const {
  const unsigned width = type_ == Dtype::float16 ? 8 : 5;  // 8 (2^8 - 1) < 2^11, 8 (2^5 - 1) < 2^8
  const std::uint64_t ranks = run.ranks.size();
  const std::uint64_t salt = std::uint64_t{salt_} << 32;
  if (!rank) {
    use(NarrowSum{.width = width, .salt = salt, .ranks = ranks});
    return;
  }
  const auto place =
      static_cast<std::uint64_t>(std::ranges::lower_bound(run.ranks, *rank) - run.ranks.begin());
  use(NarrowShare{.width = width, .salt = salt, .ranks = ranks, .place = place});
}

template <class Use>
void Pattern::for_each_run(const Extent& where, std::optional<Rank> rank, Use use) const {
  auto run = run_of(where.first);
  for (std::size_t begin = where.first; begin < where.end(); ++run) {
    const std::size_t end = std::min(run->end, where.end());
    ensure(!rank || std::ranges::binary_search(run->ranks, *rank),
           "a rank contributes to what it fills");
    use_run(*run, rank, [&](auto number_of) { use(begin, end, number_of); });
    begin = end;
  }
}

std::vector<PatternRun> Pattern::runs(const Extent& where, std::optional<Rank> rank) const {
  std::vector<PatternRun> runs;
  for_each_run(where, rank, [&](std::size_t begin, std::size_t end, auto number_of) {
    runs.push_back({.begin = begin, .end = end, .number = number_of});
  });
  return runs;
}

double Pattern::value(Rank rank, std::size_t element) const {
  double value = 0;
  for_each_run({element, 1}, rank, [&](std::size_t, std::size_t, auto number_of) {
    value = with_type(
        type_, [&](auto type) { return as_double(number_as<decltype(type)>(number_of(element))); });
  });
  return value;
}

double Pattern::sum(std::size_t element) const {
  double sum = 0;
  for_each_run({element, 1}, std::nullopt, [&](std::size_t, std::size_t, auto number_of) {
    sum = with_type(
        type_, [&](auto type) { return as_double(number_as<decltype(type)>(number_of(element))); });
  });
  return sum;
}

void Pattern::fill(Elements gradient, Rank rank, std::size_t first) const {
  ensure(gradient.type() == type_, "a gradient is of the pattern's type");
  with_type(type_, [&](auto type) {
    using T = decltype(type);
    const std::span<T> part = gradient.as<T>();
    for_each_run({first, part.size()}, rank,
                 [&](std::size_t begin, std::size_t end, auto number_of) {
                   for (std::size_t e = begin; e < end; ++e) {
                     part[e - first] = number_as<T>(number_of(e));
                   }
                 });
  });
}

std::optional<std::size_t> Pattern::first_damaged(Elements gradient, Rank rank,
                                                  std::size_t first) const {
  ensure(gradient.type() == type_, "a gradient is of the pattern's type");
  std::optional<std::size_t> damaged;
  with_type(type_, [&](auto type) {
    using T = decltype(type);
    const std::span<const T> part = gradient.as<T>();
    for_each_run({first, part.size()}, rank,
                 [&](std::size_t begin, std::size_t end, auto number_of) {
                   for (std::size_t e = begin; e < end && !damaged; ++e) {
                     // So written that a NaN differs.
                     if (!(part[e - first] == number_as<T>(number_of(e)))) damaged = e;
                   }
                 });
  });
  return damaged;
}

std::size_t Pattern::count_unlike(Elements gradient, std::size_t first) const {
  ensure(gradient.type() == type_, "a gradient is of the pattern's type");
  std::size_t wrong = 0;
  with_type(type_, [&](auto type) {
    using T = decltype(type);
    const std::span<const T> part = gradient.as<T>();
    for_each_run({first, part.size()}, std::nullopt,
                 [&](std::size_t begin, std::size_t end, auto number_of) {
                   for (std::size_t e = begin; e < end; ++e) {
                     wrong += part[e - first] == number_as<T>(number_of(e)) ? 0 : 1;
                   }
                 });
  });
  return wrong;
}

}  // namespace gradwire
