#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/lane_program.h"

namespace gradwire {

/// An index of a lane's operations by the elements they touch, so that a gate finds the few that
/// overlap its extent without asking all. The elements between two neighbouring bounds of any
/// extents are one segment: an operation touches all of a segment or nothing of it.
class Segments {
 public:
  /// An index for these operations, to which none has been added yet.
  explicit Segments(std::span<const Operation> operations) : seen_(operations.size(), 0) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Extent& extent = operations[i].extent;
      if (i > 0 && extent == operations[i - 1].extent)
        continue;  // often what has just come goes on
      bounds_.push_back(extent.first);
      bounds_.push_back(extent.end());
    }
    std::ranges::sort(bounds_);
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    by_segment_.resize(bounds_.size());
    entries_.reserve(operations.size());
  }

  /// Adds operation `number`, with its extent.
  void add(std::uint32_t number, const Extent& extent) {
    for (std::size_t i = segment(extent.first); bounds_[i] < extent.end(); ++i) {
      List& list = by_segment_[i];
      ensure(entries_.size() < kNone, "a lane touches fewer segments than there are numbers");
      const auto place = static_cast<std::uint32_t>(entries_.size());
      (list.last == kNone ? list.first : entries_[list.last].next) = place;
      list.last = place;
      entries_.push_back({.number = number});
    }
  }

  /// Calls visit(number) once for every operation that was added and touches the extent, which must be
  /// that of an operation.
  template <class Visit>
  void for_each(const Extent& extent, Visit visit) {
    ++query_;
    for (std::size_t i = segment(extent.first); bounds_[i] < extent.end(); ++i) {
      for (std::uint32_t at = by_segment_[i].first; at != kNone; at = entries_[at].next) {
        const std::uint32_t number = entries_[at].number;
        if (seen_[number] == query_) continue;
        seen_[number] = query_;
        visit(number);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Entry {
    std::uint32_t number;
    std::uint32_t next = kNone;
  };
  struct List {  ///< entries of a segment, in the order in which they came
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  [[nodiscard]] std::size_t segment(std::size_t bound) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(bounds_, bound) - bounds_.begin());
  }

  std::vector<std::size_t> bounds_;
  std::vector<List> by_segment_;
  std::vector<Entry> entries_;       ///< entries of all segments
  std::vector<std::uint32_t> seen_;  ///< by operation: the last query that met it
  std::uint32_t query_ = 0;
};

}  // namespace gradwire
