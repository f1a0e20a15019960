#include "simulator/placement_starts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "schedule/jobs/placement.h"

namespace gradwire::simulator {
namespace {

/// A run of consecutive hosts.
struct Block {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The blocks of hosts that hang off one switch by their first ports.
std::vector<Block> below_switches(const topologies::Topology& topology) {
  std::vector<Block> blocks;
  NodeId last;
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    const NodeId near = topology.opposite({topology.host(Rank(host)), Port(0)}).node;
    if (blocks.empty() || near != last) blocks.push_back({.first = host});
    blocks.back().end = host + 1;
    last = near;
  }
  return blocks;
}

/// The blocks for jobs, smaller ones first, level by level; the last is all hosts.
std::vector<std::vector<Block>> levels_of(const topologies::Topology& topology) {
  std::vector<std::vector<Block>> levels{below_switches(topology)};
  std::size_t size = 1;
  for (const std::size_t members : topology.group_sizes()) {
    size *= members;
    auto& blocks = levels.emplace_back();
    for (std::size_t first = 0; first < topology.hosts(); first += size) {
      blocks.push_back({.first = first, .end = std::min(first + size, topology.hosts())});
    }
  }
  levels.push_back({{.first = 0, .end = topology.hosts()}});
  return levels;
}

/// The jobs, those with most ranks first.
std::vector<std::size_t> largest_first(std::span<const std::size_t> ranks) {
  std::vector<std::size_t> jobs(ranks.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  std::ranges::stable_sort(jobs, std::greater<>(), [&](std::size_t job) { return ranks[job]; });
  return jobs;
}

/// The block into which a job of so many ranks fits best.
Block best_fit(const std::vector<std::vector<Block>>& levels, const std::vector<bool>& taken,
               std::size_t ranks) {
  for (const std::vector<Block>& level : levels) {
    const Block* best = nullptr;
    std::size_t least = 0;
    for (const Block& block : level) {
      std::size_t room = 0;
      for (std::size_t host = block.first; host < block.end; ++host) room += taken[host] ? 0 : 1;
      if (room < ranks || (best != nullptr && room >= least)) continue;
      best = &block;
      least = room;
    }
    if (best != nullptr) return *best;
  }
  throw_bug("all jobs fit the wiring");
}

Seats placed(std::size_t hosts, std::span<const std::size_t> ranks,
             const jobs::Placement& placement) {
  std::vector<jobs::Wish> wishes;
  for (const std::size_t count : ranks) wishes.push_back({.ranks = count, .placement = placement});
  return jobs::place(hosts, wishes);
}

}  // namespace

Seats packed(const topologies::Topology& topology, std::span<const std::size_t> ranks) {
  const auto levels = levels_of(topology);
  std::vector<bool> taken(topology.hosts());
  Seats seats(ranks.size());
  for (const std::size_t job : largest_first(ranks)) {
    const Block block = best_fit(levels, taken, ranks[job]);
    for (std::size_t host = block.first; seats[job].size() < ranks[job]; ++host) {
      if (taken[host]) continue;
      taken[host] = true;
      seats[job].emplace_back(host);
    }
  }
  return seats;
}

Seats dealt(std::size_t hosts, std::span<const std::size_t> ranks) {
  return placed(hosts, ranks, jobs::Spread{});
}

Seats shuffled(std::size_t hosts, std::span<const std::size_t> ranks, std::mt19937& random) {
  std::vector<Rank> order;
  for (std::size_t host = 0; host < hosts; ++host) order.emplace_back(host);
  // By hand: std::shuffle differs from library to library.
  for (std::size_t i = hosts; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  Seats seats;
  auto next = order.begin();
  for (const std::size_t count : ranks) {
    const auto end = next + static_cast<std::ptrdiff_t>(count);
    std::ranges::sort(seats.emplace_back(next, end));
    next = end;
  }
  return seats;
}

}  // namespace gradwire::simulator
