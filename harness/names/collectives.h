#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "collectives/member.h"
#include "core/goal.h"
#include "core/plan.h"
#include "text/spec.h"
#include "topologies/topology.h"

/// Collectives by the names that experiments and `gradwire plan` take: what is to be reached, and in
/// parentheses how: "all-gather(bruck)", "broadcast(chain, root=3, pieces=8)". Without a way the
/// first in the table is taken. harness/names/algorithms.h has the all-reduces that have a name of their own.
namespace gradwire::names {

/// What a collective is asked to do on a wiring.
struct CollectiveTask {
  const topologies::Topology& topology;
  std::size_t elements = 0;  ///< of an all-to-all, those that a rank sends, its own block included
  std::size_t root = 0;      ///< of broadcasts and reductions; the receiver of a send
  std::size_t pieces = 0;    ///< of a chain
};

/// One way to reach a collective's goal.
struct CollectiveWay {
  std::string_view collective;  ///< "all-gather"
  std::string_view way;         ///< "ring"
  std::string_view about;       ///< what a rank sends, in a phrase
  Goal (*goal)(const CollectiveTask& task) = nullptr;
  Plan (*plan)(const CollectiveTask& task, const collectives::Member& self) = nullptr;
};

/// All ways, those of a collective together; the first of each is the one without a name.
[[nodiscard]] std::span<const CollectiveWay> collective_ways();

/// Whether the name is a collective's.
[[nodiscard]] bool is_collective(const text::Spec& spec);

/// Wirings of more hosts get no Plans for collectives.
inline constexpr std::size_t kMostCollectiveHosts = 256;
/// The most pieces of a chain.
inline constexpr std::size_t kMostChainPieces = 10'000;

/// A collective that a user has named, on a wiring, which must outlive it.
class NamedCollective {
 public:
  /// Throws InputError, without a place, for a way or option that the collective does not have, more
  /// than one way, a root that is no rank, and a wiring that is too large.
  NamedCollective(const text::Spec& spec, const topologies::Topology& topology,
                  std::size_t elements);

  /// What it reaches, rank by rank. Throws InputError where the way does not fit the wiring.
  [[nodiscard]] Goal goal() const;
  /// Rank `rank`'s Plan: empty for one that takes no part. Throws as goal().
  [[nodiscard]] Plan plan(Rank rank) const;

 private:
  CollectiveTask task_;
  const CollectiveWay* way_;
  Group group_;
};

}  // namespace gradwire::names
