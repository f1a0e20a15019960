#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/goal.h"
#include "topologies/topology.h"

/// What a goal forces through the cables that leave a set of hosts, whatever the algorithm.
namespace gradwire::topologies {

/// The elements that must cross between sets of hosts, where hosts add and switches do not. Host i
/// is the goal's rank i. An element with a beginner inside a set and an ender outside must leave it,
/// and the other way round it must enter.
class Demand {
 public:
  /// Of any goal. Time and memory grow with the extents of the goal and the ranks that have each.
  explicit Demand(const Goal& goal);
  /// Of an all-reduce of one element by `hosts` hosts.
  explicit Demand(std::size_t hosts);

  /// Every host is in the group of its number, group_of[host] below group_of.size(). How many elements
  /// cross from one group to another at least: before the first group holds the whole value every
  /// other group that begins has sent, and after it every other group that ends must receive. So it
  /// is, for each element, the groups that begin and those that end less one each, and one more
  /// if no group does both.
  [[nodiscard]] double between(std::span<const std::size_t> group_of) const;
  /// By group: the elements that must leave it or enter it, whichever are more.
  [[nodiscard]] std::vector<double> of_each(std::span<const std::size_t> group_of) const;
  /// The same of the hosts that are inside: some, and not all.
  [[nodiscard]] double of_set(const std::vector<bool>& inside) const;

  /// Of a goal that only moves elements, each from one rank to one other: by sender, the receivers and
  /// how many elements go there. Nothing for any other goal.
  struct Move {
    std::uint32_t to;
    double elements;
  };
  [[nodiscard]] std::optional<std::vector<std::vector<Move>>> moves() const;

 private:
  /// Elements of which the goal says the same.
  struct Run {
    double elements;
    std::vector<std::uint32_t> beginners;
    std::vector<std::uint32_t> enders;
  };

  std::size_t hosts_;
  std::vector<Run> runs_;
};

}  // namespace gradwire::topologies
