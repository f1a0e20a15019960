#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/jobs/job.h"

namespace gradwire::jobs {

/// A node of a program, as those who know where it was written look it up.
struct NodePlace {
  std::size_t program = 0;
  std::size_t node = 0;

  friend bool operator==(const NodePlace&, const NodePlace&) = default;
};

/// Something that is wrong with a job, in a sentence.
struct Finding {
  std::string text;
  std::optional<NodePlace> place;  ///< where it shows, if at a node
};

/// The most findings that check() lists.
inline constexpr std::size_t kMostFindings = 20;
/// Slots of a program are below this.
inline constexpr std::uint32_t kMostSlots = 1024;

/// What is wrong with a job; empty means that it can run and comes to its end. Looked for is, in this
/// order, and only while nothing was found before:
///   - what job.h requires of nodes, groups and ranks: numbers in range, members once, slots of a rank
///     that lead to different groups with that rank in them, a send in a group of two;
///   - members that disagree about the n-th collective of their group, and one that calls fewer;
///   - ranks that would wait for each other for ever (waits.h).
/// Takes time and memory in proportion to the nodes of all ranks, and what they come after.
[[nodiscard]] std::vector<Finding> check(const Job& job);

}  // namespace gradwire::jobs
