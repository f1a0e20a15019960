#include "collectives/algorithms/groups.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/collective.h"
#include "collectives/grid.h"
#include "core/error.h"
#include "core/text/split.h"
#include "core/text/text_check.h"
#include "core/to_number.h"

namespace gradwire::algorithms {
namespace {

using collectives::GridShape;
using text::OptionForm;

constexpr std::string_view kGrid = "grid";
constexpr std::string_view kNothing = "nothing";

constexpr std::array kGridOptions{
    OptionForm{"rows", OptionForm::Value::word, kNothing,
               "what each row of two dimensions runs: all-gather(bruck), ..., or ring"},
    OptionForm{"columns", OptionForm::Value::word, kNothing, "what each column runs"},
    OptionForm{"first", OptionForm::Value::word, kNothing,
               "what each group along the first dimension runs: of two, a column"},
    OptionForm{"second", OptionForm::Value::word, kNothing, "along the second: of two, a row"},
    OptionForm{"third", OptionForm::Value::word, kNothing, "along the third"},
    OptionForm{"fourth", OptionForm::Value::word, kNothing, "along the fourth"}};
constexpr std::size_t kFirstOrdinal = 2;
constexpr std::size_t kMostDimensions = kGridOptions.size() - kFirstOrdinal;

constexpr std::array kGroupsOptions{
    OptionForm{"ranks", OptionForm::Value::word, "none",
               "who: 0-3+8 is a group of five ranks, and 0-3:4-7 are two groups"},
    OptionForm{"run", OptionForm::Value::word, kNothing,
               "what each group runs: all-gather(bruck), ..., or ring"}};

constexpr std::array kGroupsKinds{
    GroupsKind{.name = kGrid,
               .form = "grid(2x2, rows=all-gather, columns=ring)",
               .wirings = "wirings of as many hosts",
               .about =
                   "a collective in every row of a grid of ranks, and another in every column, "
                   "beside each other",
               .options = kGridOptions},
    GroupsKind{.name = "groups",
               .form = "groups(ranks=0-3, run=all-gather)",
               .wirings = "every wiring",
               .about = "a collective in each of some groups of ranks, beside each other",
               .options = kGroupsOptions}};

GridShape shape_of(std::string_view text, const topologies::Topology& topology) {
  GridShape shape;
  for (const std::string_view part : text::split(text, 'x')) {
    const auto ranks = to_number<std::size_t>(part);
    if (!ranks || *ranks < 2 || *ranks > kMostCollectiveHosts) {
      throw InputError(fmt::format("grid: {} is not a number of ranks from 2 to {}; 4x2 is a grid",
                                   text::shown(part), kMostCollectiveHosts));
    }
    shape.push_back(*ranks);
  }
  if (shape.size() < 2 || shape.size() > kMostDimensions) {
    throw InputError(fmt::format("grid: {} has {} dimensions; from 2 to {} are taken, as in 4x2",
                                 text, shape.size(), kMostDimensions));
  }
  double product = 1;
  for (const std::size_t ranks : shape) product *= static_cast<double>(ranks);
  if (product != static_cast<double>(topology.hosts())) {
    throw InputError(fmt::format("grid({}) has {} ranks, and {} has {}", text, product,
                                 topology.name(), topology.hosts()));
  }
  return shape;
}

/// The dimension that an option is about, counted from 0.
std::size_t dimension_of(std::string_view key, const GridShape& shape) {
  const auto found = std::ranges::find(kGridOptions, key, &OptionForm::key);
  const auto number = static_cast<std::size_t>(found - kGridOptions.begin());
  if (number < kFirstOrdinal) {
    if (shape.size() == 2) return 1 - number;
    throw InputError(fmt::format("grid: {} are of two dimensions; {} are named first, second, ...",
                                 key, shape.size()));
  }
  if (number - kFirstOrdinal < shape.size()) return number - kFirstOrdinal;
  throw InputError(fmt::format("grid: there is no {} dimension of {}", key, shape.size()));
}

/// The collective that a group is told to run.
text::Spec collective_named(std::string_view key, std::string_view value) {
  const text::Spec what = text::parse_spec(value);
  if (counts_file(what)) {
    throw InputError(fmt::format("{}={}: counts are of all ranks, and not of a group", key, value));
  }
  if (is_collective(what)) return what;
  if (to_string(what) == "ring") return text::parse_spec("all-reduce(ring)");
  std::vector<std::string_view> known;
  for (const CollectiveWay& way : collective_ways()) {
    if (known.empty() || known.back() != way.collective) known.push_back(way.collective);
  }
  throw InputError(fmt::format("{}={}: a group runs ring or a collective: {}", key, value,
                               fmt::join(known, ", ")));
}

Rank rank_of(std::string_view text, const topologies::Topology& topology) {
  const auto rank = to_number<std::size_t>(text);
  if (!rank) {
    throw InputError(
        fmt::format("groups: ranks: {} is not a rank, a whole number from 0; 0-3+8 are "
                    "five ranks",
                    text::shown(text)));
  }
  if (*rank < topology.hosts()) return Rank(*rank);
  throw InputError(fmt::format("groups: {} has no rank {}", topology.name(), *rank));
}

/// Adds the ranks of "0-3" or "8" to the group.
void add_ranks(std::string_view run, const topologies::Topology& topology, std::vector<bool>& named,
               Group& group) {
  const std::vector<std::string_view> ends = text::split(run, '-');
  if (ends.size() > 2) {
    throw InputError(fmt::format("groups: ranks: {} is not a run such as 0-3", text::shown(run)));
  }
  const Rank first = rank_of(ends.front(), topology);
  const Rank last = rank_of(ends.back(), topology);
  if (last < first) {
    throw InputError(fmt::format("groups: ranks: {} runs backwards", text::shown(run)));
  }
  for (std::size_t i = first.index(); i <= last.index(); ++i) {
    if (named[i]) throw InputError(fmt::format("groups: rank {} is named twice", i));
    named[i] = true;
    group.emplace_back(i);
  }
}

std::vector<Group> groups_of(std::string_view list, const topologies::Topology& topology) {
  std::vector<bool> named(topology.hosts(), false);
  std::vector<Group> groups;
  for (const std::string_view runs : text::split(list, ':')) {
    Group group;
    for (const std::string_view run : text::split(runs, '+'))
      add_ranks(run, topology, named, group);
    if (group.size() < 2) {
      throw InputError(fmt::format("groups: {} is one rank; a group has two or more", runs));
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

bool is_groups(const text::Spec& algorithm) {
  return std::ranges::find(kGroupsKinds, algorithm.name, &GroupsKind::name) != kGroupsKinds.end();
}

std::span<const GroupsKind> groups_kinds() {
  return kGroupsKinds;
}

NamedGroups::NamedGroups(const text::Spec& spec, const topologies::Topology& topology)
    : topology_(topology) {
  if (spec.name != kGrid) {
    const text::Arguments arguments(spec.name, spec, kGroupsOptions);
    const auto ranks = arguments.word("ranks");
    const auto run = arguments.word("run");
    if (!ranks || !run) throw InputError("groups takes both: groups(ranks=0-3, run=all-gather)");
    add(groups_of(*ranks, topology), collective_named("run", *run));
    return;
  }
  text::Spec options = spec;
  options.flags.clear();
  static_cast<void>(text::Arguments(spec.name, options, kGridOptions));
  if (spec.flags.size() != 1) {
    throw InputError("grid takes its shape first: grid(4x2, rows=all-gather, columns=ring)");
  }
  const GridShape shape = shape_of(spec.flags.front(), topology);
  std::vector<std::optional<text::Spec>> along(shape.size());
  for (const auto& [key, value] : spec.options) {
    std::optional<text::Spec>& what = along[dimension_of(key, shape)];
    if (what) throw InputError(fmt::format("grid: {} says again what another name says", key));
    what = collective_named(key, value);
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (along[i]) add(collectives::groups_along(shape, i), *along[i]);
  }
  if (all_.empty()) throw InputError("grid: nothing runs; say what, such as rows=all-gather");
}

void NamedGroups::add(const std::vector<Group>& groups, const text::Spec& what) {
  Alike alike;
  std::size_t largest = 0;
  for (const Group& group : groups) {
    alike.groups.emplace_back(what, topology_, group);
    largest = std::max(largest, group.size());
  }
  alike.bus_factor = collectives::bus_factor(what.name, largest);
  all_.push_back(std::move(alike));
}

Achieved NamedGroups::achieves(const Amount& amount) const {
  std::vector<Goal> goals;
  double bus_factor = 0;
  for (const Alike& alike : all_) {
    for (const NamedCollective& group : alike.groups) goals.push_back(group.achieves(amount).goal);
    bus_factor += alike.bus_factor;
  }
  return {.goal = beside(goals), .bus_factor = bus_factor};
}

Plan NamedGroups::plan(Rank rank, const Amount& amount) const {
  Plan all;
  std::size_t before = 0;
  for (const Alike& alike : all_) {
    Plan plan;
    for (const NamedCollective& group : alike.groups) {
      if (group.has(rank)) plan = shifted(group.plan(rank, amount), before);
      before += group.elements(amount.elements);
    }
    // Who takes no part has lanes all the same, so that those that follow have one number everywhere.
    if (plan.lanes.empty()) plan.lanes.resize(alike.groups.front().lanes(amount));
    all = beside(std::move(all), std::move(plan));
  }
  return all;
}

std::string NamedGroups::why_no_file() const {
  return " is several collectives; a plan file holds one";
}

std::shared_ptr<const Method> make_groups(const text::Spec& spec,
                                          const topologies::Topology& topology) {
  return std::make_shared<NamedGroups>(spec, topology);
}

}  // namespace gradwire::algorithms
