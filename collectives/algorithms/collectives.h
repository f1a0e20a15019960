#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/pair_counts.h"
#include "collectives/member.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/spec.h"
#include "topologies/topology.h"

/// Collectives by the names that experiments and `gradwire plan` take: what is to be reached, and in
/// parentheses how: "all-gather(bruck)", "broadcast(chain, root=3, pieces=8)". Without a way the
/// first in the table is taken. collectives/algorithms/algorithm.h has the all-reduces that have a name of their own.
namespace gradwire::algorithms {

/// The task of a collective among ranks of a wiring.
struct CollectiveTask {
  const topologies::Topology& topology;
  std::size_t members = 0;   ///< ranks that act together
  std::size_t elements = 0;  ///< a rank's in an all-to-all: all that it sends, its own block too
  std::size_t root = 0;    ///< a place among them: of broadcasts and reductions; a send's receiver
  std::size_t pieces = 0;  ///< extents of a chain
  std::shared_ptr<const PairCounts> counts = {};  ///< unequal blocks of an all-to-all
};

/// One way to reach a collective's goal.
struct CollectiveWay {
  std::string_view collective;  ///< "all-gather"
  std::string_view way;         ///< "ring"
  std::string_view about;       ///< a phrase: what a rank sends
  Goal (*goal)(const CollectiveTask& task) = nullptr;
  Plan (*plan)(const CollectiveTask& task, const collectives::Member& self) = nullptr;
  bool is_of_wiring = false;  ///< takes all ranks of a wiring, and no group of them
};

/// All ways, those of a collective together; the first of each is the one without a name.
[[nodiscard]] std::span<const CollectiveWay> collective_ways();

/// Whether the name is a collective's.
[[nodiscard]] bool is_collective(const text::Spec& spec);

/// Wirings of more hosts get no Plans for collectives.
inline constexpr std::size_t kMostCollectiveHosts = 256;
/// The file that an all-to-all has its counts from; nothing where it names none.
[[nodiscard]] std::optional<std::string> counts_file(const text::Spec& spec);

/// The way of broadcasts and reductions that is told how many pieces to make.
inline constexpr std::string_view kChain = "chain";
/// The most pieces of a chain.
inline constexpr std::size_t kMostChainPieces = 10'000;

/// A collective that a user has named, on a wiring, which must outlive it.
class NamedCollective final : public Method {
 public:
  /// The collective of all ranks. Throws InputError, without a place, for a way or option that the collective does
  /// not have, more than one way, a root that is no rank, counts of another number of ranks, and a
  /// wiring that is too large; and with the place in the file of counts, as pair_counts_of.
  NamedCollective(const text::Spec& spec, const topologies::Topology& topology);
  /// The collective of a group of two or more ranks of the wiring, each named once: a root is a place in it. Throws
  /// InputError also for a way that needs the whole wiring.
  NamedCollective(const text::Spec& spec, const topologies::Topology& topology, Group group);

  [[nodiscard]] std::string collective() const override { return name_; }
  [[nodiscard]] Achieved achieves(const Amount& amount) const override;
  /// Empty for a rank that takes no part.
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override;
  [[nodiscard]] std::string file_digest() const override;
  [[nodiscard]] std::string why_no_file() const override;

  /// Whether the rank takes part.
  [[nodiscard]] bool has(Rank rank) const;
  /// Elements of the goal: of an all-to-all, those that all send.
  [[nodiscard]] std::size_t elements(std::size_t amount) const;
  /// The number of lanes of a Plan of a rank that takes part.
  [[nodiscard]] std::size_t lanes(const Amount& amount) const;

 private:
  void read_options(const text::Spec& spec);
  [[nodiscard]] CollectiveTask task(std::size_t elements) const;

  CollectiveTask task_;
  const CollectiveWay* way_;
  Group group_;
  std::string name_;
};

/// Throws as NamedCollective.
[[nodiscard]] std::shared_ptr<const Method> make_collective(const text::Spec& spec,
                                                            const topologies::Topology& topology);

}  // namespace gradwire::algorithms
