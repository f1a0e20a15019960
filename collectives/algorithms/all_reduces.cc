
#include "collectives/algorithms/all_reduces.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bml/plan.h"
#include "collectives/algorithms/parameter_servers.h"
#include "collectives/algorithms/peer.h"
#include "collectives/algorithms/ring.h"
#include "collectives/binary_blocks.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "core/error.h"
#include "core/text/suggest.h"

namespace gradwire::algorithms {
namespace {

using text::OptionForm;
using topologies::Topology;
using Value = OptionForm::Value;

Plan plan_bml(const text::Arguments&, const Topology& topology, Rank rank, const Amount& amount) {
  return bml::plan(topology, rank, amount.elements);
}

/// `alike` of an algorithm without options.
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

constexpr std::array kAllReduces{
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
  const auto* const kind = std::ranges::find(kAllReduces, name, &AlgorithmKind::name);
  if (kind != kAllReduces.end()) return *kind;
  std::vector<std::string> known;
  for (const AlgorithmKind& each : kAllReduces) known.emplace_back(each.name);
  throw InputError(fmt::format("{}; there are: {}, and libraries: {}",
                               text::unknown_name("algorithm", name, known), fmt::join(known, ", "),
                               fmt::join(peer_names(), ", ")));
}

/// An all-reduce of the table.
class AllReduce final : public Method {
 public:
  AllReduce(const AlgorithmKind& kind, const text::Spec& spec, const topologies::Topology& topology)
      : kind_(kind),
        name_(to_string(spec)),
        arguments_(kind.name, spec, kind.options),
        topology_(topology) {}

  [[nodiscard]] Achieved achieves(const Amount& amount) const override {
    return {.goal = kind_.goal(arguments_, topology_.hosts(), amount)};
  }
  [[nodiscard]] Plan plan(Rank rank, const Amount& amount) const override {
    return kind_.plan(arguments_, topology_, rank, amount);
  }
  [[nodiscard]] bool ranks_are_alike(const Amount& amount) const override {
    return kind_.alike(arguments_, topology_, amount);
  }
  [[nodiscard]] bool is_per_tensor() const override { return arguments_.has("per-tensor"); }
  void check_size(const Amount& amount, const PlanLimit& limit) const override;

 private:
  const AlgorithmKind& kind_;
  std::string name_;
  text::Arguments arguments_;
  const topologies::Topology& topology_;
};

void AllReduce::check_size(const Amount& amount, const PlanLimit& limit) const {
  const PlanSize size = kind_.size(arguments_, topology_.hosts(), amount);
  const std::size_t most = std::clamp<std::size_t>(size.part, 1, kMostPieces);
  if (size.pieces > most) {
    throw InputError(fmt::format("{}: pieces={}: of {} elements, {} at most can be made",
                                 kind_.name, size.pieces, size.part, most));
  }
  const double transfers = size.transfers * static_cast<double>(limit.plans);
  if (transfers > limit.transfers) {
    throw InputError(fmt::format("{}: {:.2g} sends and receives on {} ranks; {:.2g} at most", name_,
                                 transfers, topology_.hosts(), limit.transfers));
  }
}

}  // namespace

std::span<const AlgorithmKind> algorithm_kinds() {
  return kAllReduces;
}

std::shared_ptr<const Method> make_all_reduce(const text::Spec& spec,
                                              const topologies::Topology& topology) {
  return std::make_shared<AllReduce>(find_kind(spec.name), spec, topology);
}

}  // namespace gradwire::algorithms
