#include "core/goal.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire {
namespace {

/// The elements of all parts together. A single empty extent if there are none, so that a rank that
/// begins with it still counts as a contributor.
std::vector<Extent> all_of(const Parts& parts) {
  std::vector<Extent> all;
  for (const std::vector<Extent>& part : parts) all.insert(all.end(), part.begin(), part.end());
  all = merged(std::move(all));
  if (all.empty()) all.emplace_back();
  return all;
}

std::size_t end_of(const std::vector<Extent>& ascending) {
  return ascending.empty() ? 0 : ascending.back().end();
}

/// A list by rank that has `all` at the root and nothing elsewhere.
std::vector<std::vector<Extent>> only_at(Rank root, std::size_t ranks, const Extent& all) {
  ensure(root.index() < ranks, "the root is one of the ranks");
  std::vector<std::vector<Extent>> by_rank(ranks);
  by_rank[root.index()] = {all};
  return by_rank;
}

}  // namespace

Parts parts_of(std::span<const std::size_t> sizes) {
  Parts parts;
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    parts.push_back({{.first = first, .count = size}});
    first += size;
  }
  return parts;
}

Parts equal_parts(std::size_t ranks, std::size_t elements) {
  Parts parts;
  for (std::size_t i = 0; i < ranks; ++i) parts.push_back({part({0, elements}, ranks, i)});
  return parts;
}

Goal all_reduce(std::size_t ranks, std::size_t elements, std::span<const Rank> servers) {
  Goal goal{.elements = elements, .begins = std::vector(ranks, std::vector{Extent{0, elements}})};
  for (const Rank server : servers) {
    ensure(server.index() < ranks, "a parameter server is one of the ranks");
    goal.begins[server.index()].clear();
  }
  goal.ends = goal.begins;
  return goal;
}

Goal reduce_scatter(Parts parts) {
  const std::vector<Extent> all = all_of(parts);
  return {
      .elements = end_of(all), .begins = std::vector(parts.size(), all), .ends = std::move(parts)};
}

Goal all_gather(Parts parts) {
  const std::vector<Extent> all = all_of(parts);
  const std::size_t ranks = parts.size();
  return {.elements = end_of(all), .begins = std::move(parts), .ends = std::vector(ranks, all)};
}

Goal broadcast(std::size_t ranks, std::size_t elements, Rank root) {
  const Extent all{0, elements};
  return {.elements = elements,
          .begins = only_at(root, ranks, all),
          .ends = std::vector(ranks, std::vector{all})};
}

Goal reduce(std::size_t ranks, std::size_t elements, Rank root) {
  const Extent all{0, elements};
  return {.elements = elements,
          .begins = std::vector(ranks, std::vector{all}),
          .ends = only_at(root, ranks, all)};
}

Goal all_to_all(std::size_t ranks, std::span<const std::size_t> counts) {
  ensure(counts.size() == ranks * ranks, "an all-to-all has a count for every pair of ranks");
  Goal goal{.begins = Parts(ranks), .ends = Parts(ranks)};
  for (std::size_t from = 0; from < ranks; ++from) {
    Extent row{.first = goal.elements};
    for (std::size_t to = 0; to < ranks; ++to) {
      const Extent block{.first = row.end(), .count = counts[from * ranks + to]};
      if (!block.empty()) goal.ends[to].push_back(block);
      row.count += block.count;
    }
    goal.begins[from] = {row};
    goal.elements = row.end();
  }
  return goal;
}

Goal all_to_all(std::size_t ranks, std::size_t elements) {
  std::vector<std::size_t> counts;
  for (std::size_t from = 0; from < ranks; ++from) {
    const Extent row = part({0, elements}, ranks, from);
    for (std::size_t to = 0; to < ranks; ++to) counts.push_back(part(row, ranks, to).count);
  }
  return all_to_all(ranks, counts);
}

Goal send(std::size_t elements) {
  const Extent all{0, elements};
  return {.elements = elements, .begins = {{all}, {}}, .ends = {{}, {all}}};
}

Goal for_group(const Goal& goal, const Group& group, std::size_t ranks) {
  ensure(group.size() == goal.begins.size(), "the goal's ranks are the group's members");
  Goal lifted{.elements = goal.elements, .begins = Parts(ranks), .ends = Parts(ranks)};
  std::vector<bool> named(ranks, false);
  for (std::size_t member = 0; member < group.size(); ++member) {
    const std::size_t rank = group[member].index();
    ensure(rank < ranks && !named[rank], "a group names ranks of the job, each once");
    named[rank] = true;
    lifted.begins[rank] = goal.begins[member];
    lifted.ends[rank] = goal.ends[member];
  }
  return lifted;
}

Goal beside(std::span<const Goal> goals) {
  Goal all;
  for (const Goal& goal : goals) {
    if (all.begins.empty()) all.begins = all.ends = Parts(goal.begins.size());
    ensure(goal.begins.size() == all.begins.size(),
           "goals beside each other are of the same ranks");
    const auto append = [&](const Parts& from, Parts& to) {
      for (std::size_t rank = 0; rank < from.size(); ++rank) {
        for (Extent extent : from[rank]) {
          extent.first += all.elements;
          to[rank].push_back(extent);
        }
      }
    };
    append(goal.begins, all.begins);
    append(goal.ends, all.ends);
    all.elements += goal.elements;
  }
  return all;
}

bool has_sums(const Goal& goal) {
  std::vector<Extent> all;
  for (const auto& begins : goal.begins) all.insert(all.end(), begins.begin(), begins.end());
  std::size_t begun = 0;
  for (const Extent& extent : all) begun += extent.count;
  std::size_t different = 0;
  for (const Extent& extent : merged(std::move(all))) different += extent.count;
  return begun > different;
}

std::vector<std::size_t> bounds_of(const Goal& goal) {
  std::vector<std::size_t> bounds{0, goal.elements};
  for (const auto* extents : {&goal.begins, &goal.ends}) {
    for (const std::vector<Extent>& of_rank : *extents) {
      for (const Extent& extent : of_rank) {
        bounds.insert(bounds.end(), {extent.first, extent.end()});
      }
    }
  }
  std::ranges::sort(bounds);
  const auto repeated = std::ranges::unique(bounds);
  bounds.erase(repeated.begin(), repeated.end());
  return bounds;
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
