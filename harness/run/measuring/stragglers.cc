#include "harness/run/measuring/stragglers.h"

#include <algorithm>

namespace gradwire::run {

std::vector<Rank> stragglers(std::span<const record::RankIteration> ranks, Seconds expected) {
  std::vector<Nanoseconds> still;
  Nanoseconds start = Nanoseconds::min();  // of the last, as GST counts
  Nanoseconds end = Nanoseconds::min();
  for (const record::RankIteration& rank : ranks) {
    still.push_back(rank.stood_still);
    start = std::max(start, rank.start);
    end = std::max(end, rank.end);
  }
  std::vector<Rank> found;
  if (still.empty()) return found;
  const auto middle = still.begin() + static_cast<std::ptrdiff_t>((still.size() - 1) / 2);
  std::ranges::nth_element(still, middle);
  const Seconds longer = Seconds(end - start) - expected;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Nanoseconds mine = ranks[i].stood_still;
    if (mine < kNoticeable || mine < 2 * *middle || longer < Seconds(mine) / 2) continue;
    found.emplace_back(i);
  }
  return found;
}

}  // namespace gradwire::run
