#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "collectives/algorithms/algorithm.h"
#include "core/text/arguments.h"

/// The all-reduces by the names that experiments use; `gradwire list algorithms` prints them.
namespace gradwire::algorithms {

/// The size of Plans, known before one is made.
struct PlanSize {
  std::size_t pieces = 1;  ///< each part of the gradient is cut into so many
  std::size_t part = 1;    ///< elements of that part
  double transfers = 0;    ///< at most so many in a Plan; 0 where the wiring alone bounds them
};

/// One all-reduce: how its name is written, what it is, and how its Plans are made.
struct AlgorithmKind {
  std::string_view name;
  std::span<const text::OptionForm> options = {};
  std::string_view wirings = "every wiring";  ///< the wirings that it runs on
  std::string_view about;                     ///< a phrase: a rank's sends and their effect
  std::string_view paper = {};                ///< its source; empty where that is no paper
  Plan (*plan)(const text::Arguments& arguments, const topologies::Topology& topology, Rank rank,
               const Amount& amount) = nullptr;
  /// The goal with `ranks` ranks.
  Goal (*goal)(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) =
      [](const text::Arguments&, std::size_t ranks, const Amount& amount) {
        return all_reduce(ranks, amount.elements);
      };
  /// Algorithm::ranks_are_alike. By default nothing is known.
  bool (*alike)(const text::Arguments& arguments, const topologies::Topology& topology,
                const Amount& amount) = [](const text::Arguments&, const topologies::Topology&,
                                           const Amount&) { return false; };
  /// The size of its Plans.
  PlanSize (*size)(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) =
      [](const text::Arguments&, std::size_t, const Amount&) { return PlanSize{}; };
};

/// All of ours, by name.
[[nodiscard]] std::span<const AlgorithmKind> algorithm_kinds();

/// Throws InputError, without a place, for a name that is no algorithm's, and for options that the
/// algorithm does not have. The wiring must outlive the result.
[[nodiscard]] std::shared_ptr<const Method> make_all_reduce(const text::Spec& spec,
                                                            const topologies::Topology& topology);

}  // namespace gradwire::algorithms
