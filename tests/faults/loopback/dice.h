#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace gradwire::faults {

/// Draws that a seed and a run's number decide, the same on every machine.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t number)
      : engine_((seed + 1) * 0x9E3779B97F4A7C15 ^ (number + 1) * 0xff51afd7ed558ccd) {}

  /// From 0 to count - 1. Requires that count is not 0.
  [[nodiscard]] std::size_t below(std::size_t count) { return engine_() % count; }
  /// From `least` to `most`, both included.
  [[nodiscard]] std::size_t between(std::size_t least, std::size_t most) {
    return least + below(most - least + 1);
  }
  [[nodiscard]] bool flip() { return below(2) == 1; }
  /// One element. Requires that there is one.
  template <class Range>
  [[nodiscard]] auto one_of(const Range& all) {
    return std::data(all)[below(std::size(all))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace gradwire::faults
