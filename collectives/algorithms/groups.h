#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectives/algorithms/collectives.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/arguments.h"
#include "core/text/spec.h"
#include "topologies/topology.h"

/// Collectives of groups of ranks, which run beside each other on one wiring, by the names that
/// experiments use:
///
///     grid(4x2, rows=all-gather, columns=ring)    every row of a grid (collectives/grid.h) gathers
///                                                 while every column sums
///     grid(2x4x2, first=ring, third=send)         dimensions by their number
///     groups(ranks=0-3+8:4-7, run=broadcast)      ranks 0 to 3 and 8 are a group, 4 to 7 another
///
/// A group runs a collective (collectives/algorithms/collectives.h), or `ring`, which is all-reduce(ring); roots
/// and receivers are places in the group. Ranks in no group are idle. Every group has as many elements
/// as the point says, of its own: the goal has those of all groups, one after the other.
namespace gradwire::algorithms {

/// Whether it names groups.
[[nodiscard]] bool is_groups(const text::Spec& algorithm);

/// A name that makes groups, for lists.
struct GroupsKind {
  std::string_view name;     ///< "grid"
  std::string_view form;     ///< one that runs on four hosts
  std::string_view wirings;  ///< the wirings that it runs on
  std::string_view about;    ///< a phrase: who runs what
  std::span<const text::OptionForm> options;
};

/// Both of them.
[[nodiscard]] std::span<const GroupsKind> groups_kinds();

/// The collective of groups, as a point's records call it.
inline constexpr std::string_view kGroups = "groups";

/// Groups that a user has named, on a wiring, which must outlive them.
class NamedGroups final : public Method {
 public:
  /// Throws InputError, without a place, for a grid that has not as many ranks as the wiring has, one
  /// of less than two ranks or more than four dimensions along a dimension, groups of ranks that the
  /// wiring does not have, of one rank, or that share a rank, what is no collective, one that needs
  /// the whole wiring, and as NamedCollective. Requires is_groups.
  NamedGroups(const text::Spec& spec, const topologies::Topology& topology);

  [[nodiscard]] std::string collective() const override { return std::string(kGroups); }
  /// The bus factor is the sum of collectives::bus_factor over the dimensions of a grid, with a group's
  /// ranks for N; of other groups that of the largest one.
  [[nodiscard]] Achieved achieves(const Amount& amount) const override;
  /// The rank's Plan: lanes of its own for each of its groups.
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override;
  [[nodiscard]] std::string why_no_file() const override;

 private:
  /// Groups that run the same and share no rank.
  struct Alike {
    std::vector<NamedCollective> groups;
    double bus_factor = 0;
  };

  void add(const std::vector<Group>& groups, const text::Spec& what);

  const topologies::Topology& topology_;
  std::vector<Alike> all_;
};

/// Throws as NamedGroups.
[[nodiscard]] std::shared_ptr<const Method> make_groups(const text::Spec& spec,
                                                        const topologies::Topology& topology);

}  // namespace gradwire::algorithms
