#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/jobs/job.h"

namespace gradwire::jobs {

/// A node of a program, as a key to the place where it was written.
struct NodePlace {
  std::size_t program = 0;
  std::size_t node = 0;

  friend bool operator==(const NodePlace&, const NodePlace&) = default;
};

/// A fault of a job, in a sentence.
struct Finding {
  std::string text;
  std::optional<NodePlace> place;  ///< node at which it shows, if any
};

/// The most findings that check() lists.
inline constexpr std::size_t kMostFindings = 20;
/// The limit of a program's slot numbers, which are below it.
inline constexpr std::uint32_t kMostSlots = 1024;

/// The faults of a job; empty means that it can run and comes to its end. It checks, in this order,
/// and each only if nothing was found before:
///   - what job.h requires of nodes, groups and ranks: numbers in range, members once, slots of a rank
///     that lead to different groups with that rank in them, a send in a group of two;
///   - members that disagree about the n-th collective of their group, and one that calls fewer;
///   - ranks that would wait for each other for ever (waits.h).
/// Takes time and memory in proportion to the nodes of all ranks, and what they come after.
[[nodiscard]] std::vector<Finding> check(const Job& job);

}  // namespace gradwire::jobs
