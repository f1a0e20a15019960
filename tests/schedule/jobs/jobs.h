#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/goal.h"
#include "schedule/jobs/job.h"

/// Jobs in a few words.
namespace gradwire::jobs::testing {

/// A node that computes for so long.
inline Node compute(double seconds, std::uint32_t stream = 0,
                    std::vector<std::uint32_t> after = {}) {
  return {.what = Compute{Seconds(seconds)}, .stream = stream, .after = std::move(after)};
}

/// A node that calls a collective of the group in a slot.
inline Node call(Collective what, std::uint32_t slot, std::size_t elements,
                 std::uint32_t stream = 0, std::vector<std::uint32_t> after = {}) {
  return {.what = Call{.what = what, .slot = slot, .elements = elements},
          .stream = stream,
          .after = std::move(after)};
}

/// An all-reduce of 4 elements on stream 0.
inline Node sum(std::uint32_t slot) {
  return call(Collective::all_reduce, slot, 4);
}

/// A job in which every rank has a program of its own, and every group the name of its number.
/// `groups_of` has each rank's groups by slot.
inline Job job(std::vector<std::vector<Node>> programs,
               const std::vector<std::vector<std::size_t>>& groups,
               std::vector<std::vector<std::uint32_t>> groups_of) {
  Job job;
  for (std::size_t rank = 0; rank < programs.size(); ++rank) {
    job.programs.push_back(
        {.name = "p" + std::to_string(rank), .nodes = std::move(programs[rank])});
    job.ranks.push_back(
        {.program = static_cast<std::uint32_t>(rank), .groups = std::move(groups_of[rank])});
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    job.groups.push_back({.name = "g" + std::to_string(group)});
    for (const std::size_t rank : groups[group]) job.groups.back().ranks.emplace_back(rank);
  }
  return job;
}

/// A job of `ranks` ranks that run one program, with one group of all.
inline Job job_of_all(std::vector<Node> nodes, std::size_t ranks) {
  Job job{.ranks = std::vector<Part>(ranks, {.program = 0, .groups = {0}})};
  job.programs.push_back({.name = "p", .nodes = std::move(nodes)});
  job.groups.push_back({.name = "all"});
  for (std::size_t rank = 0; rank < ranks; ++rank) job.groups.back().ranks.emplace_back(rank);
  return job;
}

/// What a call is to reach among so many members.
inline Goal goal_of(const Call& call, std::size_t members) {
  switch (call.what) {
    case Collective::all_reduce:
      return all_reduce(members, call.elements);
    case Collective::reduce_scatter:
      return reduce_scatter(equal_parts(members, call.elements));
    case Collective::all_gather:
      return all_gather(equal_parts(members, call.elements));
    case Collective::broadcast:
      return broadcast(members, call.elements, Rank(call.root));
    case Collective::reduce:
      return reduce(members, call.elements, Rank(call.root));
    case Collective::all_to_all:
      return all_to_all(members, members * call.elements);
    case Collective::send:
      return gradwire::send(call.elements);
  }
  throw_bug("a collective has a goal");
}

/// Rank 0 computes c seconds and sends d elements to rank 1.
inline Job compute_and_send(double c, std::size_t d) {
  const Node send = call(Collective::send, 0, d);
  return job({{compute(c), send}, {send}}, {{0, 1}}, {{0}, {0}});
}

}  // namespace gradwire::jobs::testing
