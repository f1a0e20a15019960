#include "core/plan_check_holdings.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.h"
#include "core/plan_check_findings.h"

namespace gradwire::plan_check {
namespace {

/// A set of values, kept sorted. Many values are added again and again: duplicates are removed
/// whenever the list has doubled, so that it stays near the size of the result.
template <class T>
class Collected {
 public:
  void add(const T& value) {
    if (values_.size() >= 2 * different_ + kLeast) compact();
    values_.push_back(value);
  }
  [[nodiscard]] std::vector<T> take() {
    compact();
    return std::move(values_);
  }

 private:
  static constexpr std::size_t kLeast = 1024;

  void compact() {
    std::ranges::sort(values_);
    const auto repeated = std::ranges::unique(values_);
    values_.erase(repeated.begin(), repeated.end());
    different_ = values_.size();
  }

  std::vector<T> values_;
  std::size_t different_ = 0;
};

/// The bounds of the goal's regions, and those of all transfers.
std::vector<std::size_t> with_transfers(const std::vector<std::size_t>& regions,
                                        std::span<const Plan> plans) {
  Collected<std::size_t> bounds;
  for (const std::size_t bound : regions) bounds.add(bound);
  for_each_step(plans, [&bounds](const auto&, const Step& step) {
    for (const Recv& recv : step.recvs) {
      bounds.add(recv.where.first);
      bounds.add(recv.where.end());
    }
  });
  return bounds.take();
}

/// The set split into the beginners that are in it and those that are not.
Holdings::Lack sorted_out(std::span<const std::uint32_t> beginners,
                          std::span<const std::uint64_t> set) {
  Holdings::Lack lack{};
  for (std::size_t i = 0; i < beginners.size(); ++i) {
    const bool is_held = (set[i / 64] >> (i % 64) & 1) != 0;
    (is_held ? lack.held : lack.lacked).push_back(beginners[i]);
  }
  return lack;
}

}  // namespace

Holdings::Holdings(std::span<const Plan> plans, const Goal& goal)
    : region_bounds_(bounds_of(goal)), atom_bounds_(with_transfers(region_bounds_, plans)) {
  std::vector<Touch> begun;
  for (std::size_t rank = 0; rank < goal.begins.size(); ++rank) {
    for (const Extent& extent : goal.begins[rank]) {
      for_each_region(extent, [&](std::size_t region) {
        begun.push_back({static_cast<std::uint32_t>(region), static_cast<std::uint32_t>(rank)});
      });
    }
  }
  beginners_ = by_region(std::move(begun), regions());
  holders_ = by_region(touches_of(plans, goal), regions());
  lay_out();
  fill();
}

/// The ranks that touch a region: they begin or end with its elements, send them or receive them.
std::vector<Holdings::Touch> Holdings::touches_of(std::span<const Plan> plans,
                                                  const Goal& goal) const {
  Collected<Touch> touches;
  const auto note = [&](std::size_t rank, const Extent& extent) {
    for_each_region(extent, [&](std::size_t region) {
      touches.add({static_cast<std::uint32_t>(region), static_cast<std::uint32_t>(rank)});
    });
  };
  for (const auto* extents : {&goal.begins, &goal.ends}) {
    for (std::size_t rank = 0; rank < extents->size(); ++rank) {
      for (const Extent& extent : (*extents)[rank]) note(rank, extent);
    }
  }
  for_each_step(plans, [&](const auto& at, const Step& step) {
    for (const Recv& recv : step.recvs) {
      note(at.rank, recv.where);
      note(recv.from.rank.index(), recv.where);
    }
  });
  return touches.take();
}

Holdings::Lists Holdings::by_region(std::vector<Touch> touches, std::size_t regions) {
  std::ranges::sort(touches);
  Lists lists;
  lists.starts.assign(regions + 1, 0);
  for (const Touch& touch : touches) {
    ++lists.starts[touch.region + 1];
    lists.items.push_back(touch.rank);
  }
  for (std::size_t i = 0; i < regions; ++i) lists.starts[i + 1] += lists.starts[i];
  return lists;
}

/// Gives every holder of a region its sets, one after the other, with an atom's words together.
void Holdings::lay_out() {
  std::size_t words = 0;
  for (std::size_t region = 0; region < regions(); ++region) {
    first_atom_.push_back(atom_at(region_bounds_[region]));
    first_word_.push_back(words);
    const std::size_t atoms = atom_at(region_bounds_[region + 1]) - first_atom_[region];
    words += holders_.at(region).size() * atoms * words_of(region);
  }
  first_atom_.push_back(atom_bounds_.size() - 1);
  bits_.assign(words, 0);
}

void Holdings::fill() {
  for (std::size_t region = 0; region < regions(); ++region) {
    const auto beginners = beginners_.at(region);
    const std::size_t atoms = first_atom_[region + 1] - first_atom_[region];
    for (std::size_t i = 0; i < beginners.size(); ++i) {
      const std::size_t first = first_word(region, beginners[i]);
      for (std::size_t atom = 0; atom < atoms; ++atom) {
        bits_[first + atom * words_of(region) + i / 64] |= std::uint64_t{1} << (i % 64);
      }
    }
  }
}

std::size_t Holdings::region_at(std::size_t element) const {
  const auto after = std::ranges::upper_bound(region_bounds_, element);
  return static_cast<std::size_t>(after - region_bounds_.begin()) - 1;
}

std::size_t Holdings::atom_at(std::size_t bound) const {
  const auto found = std::ranges::lower_bound(atom_bounds_, bound);
  return static_cast<std::size_t>(found - atom_bounds_.begin());
}

Extent Holdings::extent_of(std::size_t atom) const {
  return {atom_bounds_[atom], atom_bounds_[atom + 1] - atom_bounds_[atom]};
}

/// The number of words of a set. A region that nobody begins with has an empty word: a rank that
/// sends its elements sends nothing.
std::size_t Holdings::words_of(std::size_t region) const {
  return std::max<std::size_t>(1, (beginners_.at(region).size() + 63) / 64);
}

/// The first word of a holder's sets of a region.
std::size_t Holdings::first_word(std::size_t region, std::size_t rank) const {
  const auto all = holders_.at(region);
  const auto found = std::ranges::lower_bound(all, rank);
  ensure(found != all.end() && *found == rank, "whoever touches a region is one of its holders");
  const std::size_t atoms = first_atom_[region + 1] - first_atom_[region];
  return first_word_[region] +
         static_cast<std::size_t>(found - all.begin()) * atoms * words_of(region);
}

template <class Visit>
void Holdings::for_each_region(const Extent& extent, Visit visit) const {
  if (extent.empty()) return;
  for (std::size_t i = region_at(extent.first); region_bounds_[i] < extent.end(); ++i) visit(i);
}

std::optional<Holdings::Fault> Holdings::transfer(std::size_t receiver, const Recv& recv) {
  std::optional<Fault> fault;
  for_each_region(recv.where, [&](std::size_t region) {
    const std::size_t words = words_of(region);
    const std::size_t first = std::max(atom_at(recv.where.first), first_atom_[region]);
    const std::size_t end = std::min(atom_at(recv.where.end()), first_atom_[region + 1]);
    const std::size_t skipped = (first - first_atom_[region]) * words;
    std::size_t source = first_word(region, recv.from.rank.index()) + skipped;
    std::size_t target = first_word(region, receiver) + skipped;
    for (std::size_t atom = first; atom < end; ++atom) {
      std::uint64_t any = 0;
      for (std::size_t word = 0; word < words; ++word, ++source, ++target) {
        any |= bits_[source];
        const std::uint64_t twice = recv.how == Combine::add ? bits_[source] & bits_[target] : 0;
        if (twice != 0 && !fault) {
          const std::size_t bit = word * 64 + static_cast<std::size_t>(std::countr_zero(twice));
          fault = Fault{Fault::Kind::twice, extent_of(atom), beginners_.at(region)[bit]};
        }
        bits_[target] = bits_[source] | (recv.how == Combine::add ? bits_[target] : 0);
      }
      if (any == 0 && !fault) fault = Fault{Fault::Kind::nothing, extent_of(atom)};
    }
  });
  return fault;
}

std::optional<Holdings::Lack> Holdings::first_lack(std::size_t rank,
                                                   std::span<const Extent> ends) const {
  for (const Extent& extent : ends) {
    std::optional<Lack> lack;
    for_each_region(extent, [&](std::size_t region) {
      const std::size_t words = words_of(region);
      std::size_t word = first_word(region, rank);
      for (std::size_t atom = first_atom_[region]; atom < first_atom_[region + 1]; ++atom) {
        std::size_t held = 0;
        for (std::size_t i = 0; i < words; ++i) {
          held += static_cast<std::size_t>(std::popcount(bits_[word + i]));
        }
        if (held < beginners_.at(region).size() && !lack) {
          lack = sorted_out(beginners_.at(region), std::span(bits_).subspan(word, words));
          lack->where = extent_of(atom);
        }
        word += words;
      }
    });
    if (lack) return lack;
  }
  return std::nullopt;
}

}  // namespace gradwire::plan_check
