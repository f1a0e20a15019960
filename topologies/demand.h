#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/goal.h"
#include "topologies/topology.h"

/// The elements that a goal forces through the cables that leave a set of hosts, whatever the
/// algorithm.
namespace gradwire::topologies {

/// The elements that must cross between sets of hosts, where hosts add and switches do not. Host i
/// is the goal's rank i. An element with a beginner inside a set and an ender outside must leave it,
/// and the other way round it must enter.
class Demand {
 public:
  /// The demand of any goal. Time and memory grow with the extents of the goal and the ranks that
  /// have each.
  explicit Demand(const Goal& goal);
  /// The demand of an all-reduce of one element by `hosts` hosts.
  explicit Demand(std::size_t hosts);

  /// The least number of elements that cross between groups. Every host is in the group
  /// group_of[host], a number below group_of.size(). Before the first group holds the whole value
  /// every other group that begins has sent, and after it every other group that ends must receive.
  /// For each element this is the groups that begin and those that end less one each, and one more
  /// if no group does both.
  [[nodiscard]] double between(std::span<const std::size_t> group_of) const;
  /// The elements that must leave or enter each group, whichever are more.
  [[nodiscard]] std::vector<double> of_each(std::span<const std::size_t> group_of) const;
  /// The elements that must leave or enter the set of the hosts that are inside, whichever are
  /// more. Requires that some are inside, and not all.
  [[nodiscard]] double of_set(const std::vector<bool>& inside) const;

  /// The elements that a sender moves to one receiver.
  struct Move {
    std::uint32_t to;
    double elements;
  };
  /// The moves of each sender, of a goal that only moves elements, each from one rank to one other.
  /// Nothing for any other goal.
  [[nodiscard]] std::optional<std::vector<std::vector<Move>>> moves() const;

 private:
  /// Elements that the goal treats alike.
  struct Run {
    double elements;
    std::vector<std::uint32_t> beginners;
    std::vector<std::uint32_t> enders;
  };

  std::size_t hosts_;
  std::vector<Run> runs_;
};

}  // namespace gradwire::topologies
