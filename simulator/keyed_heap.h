#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gradwire::simulator {

/// A heap of numbers with keys, the least key on top; of equal keys, the lower number. Keys may
/// change, and any number may leave.
///
/// The owner keeps the table of the numbers' places, and every call takes it, so that many heaps of
/// the same numbers share one table as long as a number is in at most one of them. It must be
/// longer than the largest number, and a number in no heap has the place kNowhere.
class KeyedHeap {
 public:
  using Places = std::vector<std::uint32_t>;
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  struct Entry {
    double key;
    std::uint32_t number;
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : a.number < b.number;
    }
  };

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// The entry with the least key. Requires that there is one.
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  /// The key of a number that is in this heap.
  [[nodiscard]] double key(std::uint32_t number, const Places& places) const {
    return entries_[places[number]].key;
  }

  /// Puts the number in, or changes its key.
  void set(std::uint32_t number, double key, Places& places) {
    std::size_t place = places[number];
    if (place == kNowhere) {
      place = entries_.size();
      entries_.push_back({key, number});
    }
    settle(place, {key, number}, places);
  }

  /// Appends the numbers whose keys are not above `last`, which stay in. They come in the order in
  /// which they lie in the heap: numbers that were added in rising order, with one key, are found
  /// rising.
  void find_until(double last, std::vector<std::uint32_t>& found) const {
    if (empty() || top().key > last) return;
    const std::size_t begin = found.size();
    found.push_back(0);  // their places, breadth first; in the end their numbers
    for (std::size_t i = begin; i < found.size(); ++i) {
      const std::size_t child = 2 * std::size_t{found[i]} + 1;
      for (std::size_t place = child; place < std::min(child + 2, entries_.size()); ++place) {
        if (entries_[place].key <= last) found.push_back(static_cast<std::uint32_t>(place));
      }
    }
    for (std::size_t i = begin; i < found.size(); ++i) found[i] = entries_[found[i]].number;
  }

  /// Removes all numbers.
  void clear(Places& places) {
    for (const Entry& entry : entries_) places[entry.number] = kNowhere;
    entries_.clear();
  }

  /// Removes the number if it is in this heap.
  void erase(std::uint32_t number, Places& places) {
    const std::size_t place = places[number];
    if (place == kNowhere) return;
    places[number] = kNowhere;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (place < entries_.size()) settle(place, last, places);
  }

 private:
  /// Moves the entry to where it belongs, from a place whose own entry is gone.
  void settle(std::size_t place, const Entry& entry, Places& places) {
    const auto put = [&](std::size_t at, const Entry& what) {
      entries_[at] = what;
      places[what.number] = static_cast<std::uint32_t>(at);
    };
    while (place > 0 && entry < entries_[(place - 1) / 2]) {
      put(place, entries_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    for (std::size_t child = 2 * place + 1; child < entries_.size(); child = 2 * place + 1) {
      if (child + 1 < entries_.size() && entries_[child + 1] < entries_[child]) ++child;
      if (!(entries_[child] < entry)) break;
      put(place, entries_[child]);
      place = child;
    }
    put(place, entry);
  }

  std::vector<Entry> entries_;
};

}  // namespace gradwire::simulator
