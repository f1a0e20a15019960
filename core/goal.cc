#include "core/goal.h"

#include "core/error.h"

namespace gradwire {

Goal all_reduce(std::size_t ranks, std::size_t elements, std::span<const Rank> servers) {
  Goal goal{.elements = elements, .begins = std::vector(ranks, std::vector{Extent{0, elements}})};
  for (const Rank server : servers) {
    ensure(server.index() < ranks, "a parameter server is one of the ranks");
    goal.begins[server.index()].clear();
  }
  goal.ends = goal.begins;
  return goal;
}

std::vector<Rank> contributors(const Goal& goal) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < goal.begins.size(); ++i) {
    if (!goal.begins[i].empty()) ranks.emplace_back(i);
  }
  return ranks;
}

std::vector<Rank> servers(const Goal& goal) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < goal.begins.size(); ++i) {
    if (goal.begins[i].empty() && goal.ends[i].empty()) ranks.emplace_back(i);
  }
  return ranks;
}

}  // namespace gradwire
