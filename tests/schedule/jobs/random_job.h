#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/schedule/jobs/jobs.h"

namespace gradwire::jobs::testing {

/// Jobs of a few ranks and groups whose members agree about every collective, but not about the order
/// in which they call those of different groups. Many would never end.
class RandomJob {
 public:
  explicit RandomJob(std::uint32_t seed) : random_(seed) {}

  /// Makes one.
  Job make() {
    const std::size_t ranks = below(4) + 1;
    std::vector<std::vector<std::size_t>> groups(below(4));
    std::vector<std::vector<std::uint32_t>> groups_of(ranks);
    std::vector<std::vector<std::uint32_t>> calls(ranks);  // slots
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
      const std::size_t count = below(4);
      const std::size_t least = below(ranks);
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (rank != least && below(3) == 0) continue;
        groups[group].push_back(rank);
        const auto slot = static_cast<std::uint32_t>(groups_of[rank].size());
        groups_of[rank].push_back(group);
        calls[rank].insert(calls[rank].end(), count, slot);
      }
    }
    std::vector<std::vector<Node>> programs;
    for (auto& slots : calls) programs.push_back(nodes_of(slots));
    return job(std::move(programs), groups, std::move(groups_of));
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  std::vector<Node> nodes_of(std::vector<std::uint32_t> slots) {
    std::ranges::shuffle(slots, random_);
    std::vector<Node> nodes;
    for (const std::uint32_t slot : slots) {
      if (below(2) == 0) nodes.push_back(compute(1, stream(), after(nodes.size())));
      nodes.push_back(call(Collective::all_reduce, slot, 4, stream(), after(nodes.size())));
    }
    return nodes;
  }

  std::uint32_t stream() { return static_cast<std::uint32_t>(below(3)); }

  std::vector<std::uint32_t> after(std::size_t nodes) {
    if (nodes == 0 || below(3) != 0) return {};
    return {static_cast<std::uint32_t>(below(nodes))};
  }

  std::mt19937 random_;
};

}  // namespace gradwire::jobs::testing
