#include "harness/names/algorithms.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bml/plan.h"
#include "collectives/binary_blocks.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "core/text/suggest.h"
#include "harness/names/collectives.h"
#include "harness/names/groups.h"
#include "harness/names/hybrid.h"
#include "harness/names/parameter_servers.h"
#include "harness/names/peer_algorithms.h"
#include "harness/names/plan_files.h"
#include "harness/names/ring.h"
#include "results/record/configuration.h"
#include "topologies/least_time.h"

namespace gradwire::names {
namespace {

using text::OptionForm;
using topologies::Topology;
using Value = OptionForm::Value;

Plan plan_bml(const text::Arguments&, const Topology& topology, Rank rank, const Amount& amount) {
  return bml::plan(topology, rank, amount.elements);
}

/// Of an algorithm without options.
template <bool (*alike)(const Topology&, std::size_t elements)>
bool alike_by_size(const text::Arguments&, const Topology& topology, const Amount& amount) {
  return alike(topology, amount.elements);
}

constexpr std::array kDoubleTreeOptions{
    OptionForm{"pieces", Value::number, "one for each 8 KiB of half the gradient, at most 8",
               "extents that each half travels as"}};

std::size_t tree_pieces(const text::Arguments& arguments, const Amount& amount) {
  return arguments.number_or("pieces",
                             collectives::double_binary_tree::default_pieces(amount.elements));
}

Plan plan_double_tree(const text::Arguments& arguments, const Topology& topology, Rank rank,
                      const Amount& amount) {
  return collectives::double_binary_tree::plan(topology, rank, amount.elements,
                                               {.pieces = tree_pieces(arguments, amount)});
}

/// A rank sends to and receives from a parent and two children in one tree, a parent in the other.
PlanSize size_of_double_tree(const text::Arguments& arguments, std::size_t, const Amount& amount) {
  const std::size_t pieces = tree_pieces(arguments, amount);
  return {.pieces = pieces,
          .part = part({0, amount.elements}, 2, 0).count,
          .transfers = 8 * static_cast<double>(pieces)};
}

constexpr std::array kHalvingDoublingOptions{OptionForm{
    "fold", Value::none, {}, "pairs become one until a power of two is left, instead of blocks"}};

Plan plan_halving_doubling(const text::Arguments& arguments, const Topology& topology, Rank rank,
                           const Amount& amount) {
  const bool folds = arguments.has("fold");
  return folds ? collectives::halving_doubling::plan(topology, rank, amount.elements)
               : collectives::binary_blocks::plan(topology, rank, amount.elements);
}

constexpr std::array kHierarchicalOptions{OptionForm{
    "groups", Value::number, "as the wiring has them", "hosts of a group of the lowest level"}};

Plan plan_hierarchical(const text::Arguments& arguments, const Topology& topology, Rank rank,
                       const Amount& amount) {
  collectives::hierarchical::Options options;
  if (arguments.has("groups")) options.groups = {arguments.number("groups")};
  return collectives::hierarchical::plan(topology, rank, amount.elements, options);
}

Plan plan_staged_bcube(const text::Arguments&, const Topology& topology, Rank rank,
                       const Amount& amount) {
  return collectives::staged_bcube::plan(topology, rank, amount.elements);
}

Plan plan_striped_rings(const text::Arguments&, const Topology& topology, Rank rank,
                        const Amount& amount) {
  return collectives::striped_rings::plan(topology, rank, amount.elements);
}

constexpr std::array kKinds{
    AlgorithmKind{.name = "bml",
                  .wirings = "bcube(n,k)",
                  .about = "sums pieces level by level, then returns them; k threads begin at "
                           "different levels, so that all k ports are busy",
                  .paper = "Wang et al., BML, NeurIPS 2018",
                  .plan = plan_bml,
                  .alike = alike_by_size<bml::ranks_are_alike>},
    AlgorithmKind{.name = "double-tree",
                  .options = kDoubleTreeOptions,
                  .about = "each of two binary trees sums half of the gradient up to its root and "
                           "sends it down again",
                  .paper = "Sanders, Speck, Träff, Parallel Computing 2009",
                  .plan = plan_double_tree,
                  .size = size_of_double_tree},
    AlgorithmKind{.name = "halving-doubling",
                  .options = kHalvingDoublingOptions,
                  .about = "pairs at growing distance trade halves of what they hold, then return "
                           "the sums the same way; in blocks of powers of two",
                  .paper = "Rabenseifner, Träff, EuroPVM 2004; fold: Thakur et al., IJHPCA 2005",
                  .plan = plan_halving_doubling},
    AlgorithmKind{.name = "hierarchical",
                  .options = kHierarchicalOptions,
                  .wirings = "wirings of equal groups; every wiring with groups=...",
                  .about = "groups sum shares among themselves, then groups of groups",
                  .paper = "Wang et al., BML, NeurIPS 2018, section 3.3",
                  .plan = plan_hierarchical},
    AlgorithmKind{.name = "ps",
                  .options = kPsOptions,
                  .about = "parameter servers: every rank pushes its gradient to those who own it, "
                           "and pulls the sums",
                  .paper = "Li et al., OSDI 2014; byteps: Jiang et al., OSDI 2020",
                  .plan = plan_ps,
                  .goal = goal_of_ps,
                  .alike = ps_ranks_are_alike,
                  .size = size_of_ps},
    AlgorithmKind{.name = "ring",
                  .options = kRingOptions,
                  .about = "every rank sends to its right neighbour: once round to sum, once round "
                           "to share the sums",
                  .paper = "Gibiansky, Baidu Research 2017",
                  .plan = plan_ring,
                  .alike = ring_ranks_are_alike,
                  .size = size_of_ring},
    AlgorithmKind{.name = "staged-bcube",
                  .wirings = "bcube(n,k)",
                  .about = "bml without its threads: one level, and so one port, after the other",
                  .paper = "Wang et al., BML, NeurIPS 2018, section 3.2",
                  .plan = plan_staged_bcube,
                  .alike = alike_by_size<collectives::staged_bcube::ranks_are_alike>},
    AlgorithmKind{.name = "striped-rings",
                  .about = "a ring for each port of a host, with a share of the gradient each",
                  .plan = plan_striped_rings,
                  .alike = alike_by_size<collectives::striped_rings::ranks_are_alike>},
};

const AlgorithmKind& find_kind(const std::string& name) {
  const auto* const kind = std::ranges::find(kKinds, name, &AlgorithmKind::name);
  if (kind != kKinds.end()) return *kind;
  std::vector<std::string> known;
  for (const AlgorithmKind& each : kKinds) known.emplace_back(each.name);
  throw InputError(fmt::format("{}; there are: {}, and libraries: {}",
                               text::unknown_name("algorithm", name, known), fmt::join(known, ", "),
                               fmt::join(peer_names(), ", ")));
}

}  // namespace

bool is_per_tensor(const text::Spec& algorithm) {
  return std::ranges::find(algorithm.flags, "per-tensor") != algorithm.flags.end();
}

std::span<const AlgorithmKind> algorithm_kinds() {
  return kKinds;
}

void check_size(const text::Spec& algorithm, std::size_t ranks, const Amount& amount,
                const PlanLimit& limit) {
  if (is_plan_file(algorithm)) plan_files::check_size(*plan_file_of(algorithm), limit.plans);
  // Collectives have limits of their own.
  if (is_peer(algorithm) || is_collective(algorithm)) return;
  if (is_groups(algorithm) || is_plan_file(algorithm)) return;
  const AlgorithmKind& kind = find_kind(algorithm.name);
  const PlanSize size =
      kind.size(text::Arguments(kind.name, algorithm, kind.options), ranks, amount);
  const std::size_t most = std::clamp<std::size_t>(size.part, 1, kMostPieces);
  if (size.pieces > most) {
    throw InputError(fmt::format("{}: pieces={}: of {} elements, {} at most can be made", kind.name,
                                 size.pieces, size.part, most));
  }
  const double transfers = size.transfers * static_cast<double>(limit.plans);
  if (transfers > limit.transfers) {
    throw InputError(fmt::format("{}: {:.2g} sends and receives on {} ranks; {:.2g} at most",
                                 to_string(algorithm), transfers, ranks, limit.transfers));
  }
}

Plan make_plan(const text::Spec& algorithm, const Topology& topology, Rank rank,
               const Amount& amount) {
  if (amount.stack) return hybrid_plan(algorithm, topology, rank, amount);
  if (is_peer(algorithm)) {
    check_peer(algorithm, amount.elements);
    throw InputError(fmt::format("{} is a library: its schedule is its own, there is no Plan",
                                 to_string(algorithm)));
  }
  if (is_collective(algorithm)) {
    return NamedCollective(algorithm, topology, amount.elements).plan(rank);
  }
  if (is_groups(algorithm)) return NamedGroups(algorithm, topology, amount.elements).plan(rank);
  if (is_plan_file(algorithm)) {
    return plan_files::plan_of(*plan_file_of(algorithm), topology, rank, amount.elements);
  }
  const AlgorithmKind& kind = find_kind(algorithm.name);
  return kind.plan(text::Arguments(kind.name, algorithm, kind.options), topology, rank, amount);
}

bool ranks_are_alike(const text::Spec& algorithm, const Topology& topology, const Amount& amount) {
  if (amount.stack || is_peer(algorithm) || is_collective(algorithm)) return false;
  if (is_groups(algorithm) || is_plan_file(algorithm)) return false;
  const AlgorithmKind& kind = find_kind(algorithm.name);
  return kind.alike(text::Arguments(kind.name, algorithm, kind.options), topology, amount);
}

Achieved achieved_by(const text::Spec& algorithm, const Topology& topology, const Amount& amount) {
  if (amount.stack) return hybrid_achieves(algorithm, topology, amount);
  if (is_peer(algorithm)) {  // of equal parts, with rank 0 as root, as ours by themselves
    const text::Spec ours{.name = collective_of(algorithm)};
    return {.goal = NamedCollective(ours, topology, amount.elements).goal()};
  }
  if (is_collective(algorithm)) {
    const NamedCollective collective(algorithm, topology, amount.elements);
    return {.goal = collective.goal(), .bus_factor = collective.bus_factor()};
  }
  if (is_groups(algorithm)) {
    const NamedGroups groups(algorithm, topology, amount.elements);
    return {.goal = groups.goal(), .bus_factor = groups.bus_factor()};
  }
  if (is_plan_file(algorithm)) {
    return {.goal = plan_files::goal_of(*plan_file_of(algorithm), topology, amount.elements)};
  }
  const AlgorithmKind& kind = find_kind(algorithm.name);
  const text::Arguments arguments(kind.name, algorithm, kind.options);
  return {.goal = kind.goal(arguments, topology.hosts(), amount)};
}

Goal goal_of(const text::Spec& algorithm, const Topology& topology, const Amount& amount) {
  return achieved_by(algorithm, topology, amount).goal;
}

std::string collective_of(const text::Spec& algorithm) {
  if (is_plan_file(algorithm)) return plan_file_of(algorithm)->collective;
  if (is_peer(algorithm)) return std::string(peers::kWhats.name_of(peer_what(algorithm)));
  if (is_groups(algorithm)) return std::string(kGroups);
  return is_collective(algorithm) ? algorithm.name : std::string(record::kAllReduce);
}

std::string collective_of(const text::Spec& algorithm, const Amount& amount) {
  return amount.stack ? std::string(kHybrid) : collective_of(algorithm);
}

namespace {

std::vector<Plan> all_plans(const text::Spec& algorithm, const Topology& topology,
                            const Amount& amount) {
  if (is_plan_file(algorithm) && !amount.stack) {
    return plans_of(*plan_file_of(algorithm), topology, amount.elements);
  }
  std::vector<Plan> plans;
  if (is_groups(algorithm)) {
    const NamedGroups groups(algorithm, topology, amount.elements);
    for (std::size_t i = 0; i < topology.hosts(); ++i) plans.push_back(groups.plan(Rank(i)));
    return plans;
  }
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(make_plan(algorithm, topology, Rank(i), amount));
  }
  return plans;
}

}  // namespace

std::vector<Plan> make_checked_plans(const text::Spec& algorithm, const Topology& topology,
                                     const Amount& amount) {
  check_size(algorithm, topology.hosts(), amount, {.plans = topology.hosts()});
  if (is_plan_file(algorithm)) prove_plan_file(algorithm, topology);
  std::vector<Plan> plans = all_plans(algorithm, topology, amount);
  const std::vector<std::string> findings =
      check_plans(plans, goal_of(algorithm, topology, amount));
  if (findings.empty()) return plans;
  throw InternalError(fmt::format("{} on {} does not reach its goal: {}", to_string(algorithm),
                                  topology.name(), findings.front()));
}

Seconds bound_of(const Topology& topology, std::span<const Plan> plans, const LinkLimits& limits,
                 Dtype type) {
  const auto each = static_cast<double>(size_of(type));
  const double least = topologies::least_time(topology, plans, limits.burst / each);
  return time_to_send(least * each, limits.payload);
}

}  // namespace gradwire::names
