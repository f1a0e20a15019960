#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/hybrid.h"
#include "core/dtype.h"
#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/arguments.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "harness/names/link_limits.h"
#include "topologies/topology.h"

/// The algorithms by the names that experiments use; `gradwire list algorithms` prints those of
/// all-reduces. Other collectives are named as `gradwire plan` takes them (harness/names/
/// collectives.h), groups of ranks by what each runs (harness/names/groups.h), and those of files by
/// their file (harness/names/plan_files.h): make_plan, goal_of and make_checked_plans know all.
/// Libraries that are measured beside them have names but no Plans (harness/names/
/// peer_algorithms.h).
namespace gradwire::names {

/// What is synchronized.
struct Amount {
  std::size_t elements = 0;
  std::vector<Extent> tensors = {};  ///< empty when the experiment names no workload
  std::size_t tensors_before = 0;    ///< of a bucket: how many tensors earlier buckets hold
  /// Of hybrid(...), whose inputs and errors move, too (harness/names/hybrid.h).
  std::optional<collectives::hybrid::Stack> stack = {};
};

/// How large Plans become, known before one is made.
struct PlanSize {
  std::size_t pieces = 1;  ///< that a part of the gradient is cut into
  std::size_t part = 1;    ///< elements of that part
  double transfers = 0;    ///< at most so many in a Plan; 0 where the wiring alone bounds them
};

/// One algorithm: how its name is written, what it is, and how its Plans are made.
struct AlgorithmKind {
  std::string_view name;
  std::span<const text::OptionForm> options = {};
  std::string_view wirings = "every wiring";  ///< which ones it runs on
  std::string_view about;                     ///< what a rank sends and what that does, in a phrase
  std::string_view paper = {};  ///< where it comes from; empty where no paper is its source
  Plan (*plan)(const text::Arguments& arguments, const topologies::Topology& topology, Rank rank,
               const Amount& amount) = nullptr;
  /// What it achieves with `ranks` ranks.
  Goal (*goal)(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) =
      [](const text::Arguments&, std::size_t ranks, const Amount& amount) {
        return all_reduce(ranks, amount.elements);
      };
  /// Whether all ranks' Plans are certain to be rank 0's, translated (Topology::translation): by
  /// arithmetic, without making one. False says nothing. See ranks_are_alike.
  bool (*alike)(const text::Arguments& arguments, const topologies::Topology& topology,
                const Amount& amount) = [](const text::Arguments&, const topologies::Topology&,
                                           const Amount&) { return false; };
  /// How large its Plans become.
  PlanSize (*size)(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) =
      [](const text::Arguments&, std::size_t, const Amount&) { return PlanSize{}; };
};

/// All of ours, by name.
[[nodiscard]] std::span<const AlgorithmKind> algorithm_kinds();

inline constexpr std::size_t kMostPieces = 1'000'000;

/// How many Plans are made and kept at once, and how many sends and receives they may have in all.
struct PlanLimit {
  std::size_t plans = 1;
  double transfers = 5e7;  ///< about 2 GB
};

/// Refuses Plans that would take the machine's memory, before any is made. Throws InputError,
/// without a place, when more pieces are asked for than a part has elements, or more than
/// kMostPieces, and when the Plans would have more transfers than the limit; also as make_plan.
void check_size(const text::Spec& algorithm, std::size_t ranks, const Amount& amount,
                const PlanLimit& limit);

/// Rank `rank`'s Plan of an algorithm or a collective. A bucket may be smaller than its pieces are
/// many: it travels as fewer. Throws InputError, without a place, for an unknown algorithm or
/// option, one that does not fit the wiring, and a library, whose schedule is its own.
[[nodiscard]] Plan make_plan(const text::Spec& algorithm, const topologies::Topology& topology,
                             Rank rank, const Amount& amount);

/// Whether the algorithm says for itself that all ranks' Plans are rank 0's, translated, so that
/// simulator::is_symmetric would find them so. It makes no Plan. False says nothing: of collectives,
/// groups, files and stacks, too. Throws InputError as make_plan.
[[nodiscard]] bool ranks_are_alike(const text::Spec& algorithm,
                                   const topologies::Topology& topology, const Amount& amount);

/// What an algorithm achieves on a wiring.
struct Achieved {
  Goal goal;  ///< who begins with what, and who must end with it
  /// How many times the amount's elements the busiest NIC of a host with one carries at least, where
  /// the collective's name and the number of ranks do not say it (record::bus_factor): for groups,
  /// counts for each pair, and a stack.
  std::optional<double> bus_factor = {};
};
/// Asks for it without making a Plan. Libraries are asked like algorithms: all ranks contribute. Throws
/// InputError, without a place, as make_plan.
[[nodiscard]] Achieved achieved_by(const text::Spec& algorithm,
                                   const topologies::Topology& topology, const Amount& amount);
/// The goal alone. Throws as achieved_by.
[[nodiscard]] Goal goal_of(const text::Spec& algorithm, const topologies::Topology& topology,
                           const Amount& amount);

/// The collective that the algorithm is for: "all-reduce", unless it names another one
/// (harness/names/collectives.h), or its file says so. Throws InputError as make_plan.
[[nodiscard]] std::string collective_of(const text::Spec& algorithm);
/// The same of what is done with the amount: "hybrid", if it has a stack.
[[nodiscard]] std::string collective_of(const text::Spec& algorithm, const Amount& amount);

/// Whether it places whole tensors, so that a size alone says nothing about what a bucket costs.
[[nodiscard]] bool is_per_tensor(const text::Spec& algorithm);

/// Wirings of more hosts have their Plans taken on trust in the same algorithm on smaller ones: the
/// checker's time grows with their square.
inline constexpr std::size_t kMostProven = 256;

/// All ranks' Plans, proven by the symbolic checker. Throws as check_size, make_plan and
/// prove_plan_file, and InternalError with the first finding when Plans of ours do not reach their
/// goal.
[[nodiscard]] std::vector<Plan> make_checked_plans(const text::Spec& algorithm,
                                                   const topologies::Topology& topology,
                                                   const Amount& amount);

/// The least time that the Plans can take with elements of this type (topologies/least_time.h).
[[nodiscard]] Seconds bound_of(const topologies::Topology& topology, std::span<const Plan> plans,
                               const LinkLimits& limits, Dtype type);

}  // namespace gradwire::names
