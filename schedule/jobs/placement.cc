#include "schedule/jobs/placement.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

/// The free hosts that a job gets if it names none.
std::vector<Rank> chosen(std::vector<Rank> free, const Wish& wish) {
  const std::size_t count = wish.ranks;
  if (std::holds_alternative<Spread>(wish.placement)) {
    std::vector<Rank> spread;
    for (std::size_t i = 0; i < count; ++i) spread.push_back(free[i * free.size() / count]);
    return spread;
  }
  if (const auto* shuffled = std::get_if<Shuffled>(&wish.placement)) {
    // By hand: std::shuffle differs from library to library.
    std::mt19937 random(shuffled->seed);
    for (std::size_t i = free.size(); i > 1; --i) std::swap(free[i - 1], free[random() % i]);
  }
  free.resize(count);
  return free;
}

}  // namespace

std::vector<std::vector<Rank>> place(std::size_t hosts, std::span<const Wish> wishes) {
  std::vector<std::vector<Rank>> placed(wishes.size());
  std::vector<bool> taken(hosts);
  for (std::size_t job = 0; job < wishes.size(); ++job) {
    const auto* named = std::get_if<Named>(&wishes[job].placement);
    if (named == nullptr) continue;
    if (named->size() != wishes[job].ranks) {
      throw InputError(fmt::format("job {} has {} ranks, but names {} hosts", job,
                                   wishes[job].ranks, named->size()));
    }
    for (const Rank host : *named) {
      if (host.index() >= hosts) {
        throw InputError(fmt::format("job {}: there is no host {}; there are {} hosts, from 0", job,
                                     host.index(), hosts));
      }
      if (taken[host.index()]) {
        throw InputError(
            fmt::format("job {}: host {} already runs another rank", job, host.index()));
      }
      taken[host.index()] = true;
    }
    placed[job] = *named;
  }
  for (std::size_t job = 0; job < wishes.size(); ++job) {
    if (std::holds_alternative<Named>(wishes[job].placement)) continue;
    std::vector<Rank> free;
    for (std::size_t host = 0; host < hosts; ++host) {
      if (!taken[host]) free.emplace_back(host);
    }
    if (free.size() < wishes[job].ranks) {
      throw InputError(fmt::format("job {} has {} ranks, and {} hosts are left", job,
                                   wishes[job].ranks, free.size()));
    }
    placed[job] = chosen(std::move(free), wishes[job]);
    for (const Rank host : placed[job]) taken[host.index()] = true;
  }
  return placed;
}

}  // namespace gradwire::jobs
