#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/pattern.h"
#include "tests/faults/loopback/run.h"

namespace gradwire::faults {

/// The sums as they must be, from the contributions alone: neither by the transport nor by the
/// pattern's own formula.
class Reference {
 public:
  Reference(std::span<const Rank> contributors, std::size_t elements, std::size_t executions)
      : contributors_(contributors.begin(), contributors.end()),
        elements_(elements),
        sums_(executions),
        once_(executions) {}

  /// Both ways to check what a rank has after an execution. Thread-safe.
  [[nodiscard]] SumCheck check(std::size_t execution, std::span<const float> gradient) {
    std::call_once(once_[execution], [&] { add_up(execution); });
    const Pattern pattern(contributors_, execution);
    SumCheck found{.counted = pattern.count_wrong(gradient)};
    for (std::size_t e = gradient.size(); e-- > 0;) {
      if (gradient[e] == sums_[execution][e]) continue;
      ++found.really;
      found.first = e;
    }
    return found;
  }

 private:
  void add_up(std::size_t execution) {
    const Pattern pattern(contributors_, execution);
    std::vector<double> sums(elements_);
    for (const Rank rank : contributors_) {
      for (std::size_t e = 0; e < elements_; ++e) sums[e] += pattern.value(rank, e);
    }
    sums_[execution].assign(sums.begin(), sums.end());
  }

  std::vector<Rank> contributors_;
  std::size_t elements_;
  std::vector<std::vector<float>> sums_;  ///< by execution; empty until it is asked for
  std::deque<std::once_flag> once_;       ///< by execution
};

}  // namespace gradwire::faults
