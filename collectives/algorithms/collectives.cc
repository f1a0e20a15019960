#include "collectives/algorithms/collectives.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/arguments.h"

namespace gradwire::algorithms {
namespace {

using text::OptionForm;

constexpr std::string_view kAllToAll = "all-to-all";

constexpr std::array kRootOptions{
    OptionForm{"root", OptionForm::Value::index, "rank 0", "the rank that has or gets all"},
    OptionForm{"pieces", OptionForm::Value::number, "8", "of a chain"}};
constexpr std::array kSendOptions{
    OptionForm{"to", OptionForm::Value::index, "the last rank", "the rank that rank 0 sends to"}};

constexpr std::string_view kCounts = "counts";
constexpr std::array kAllToAllOptions{
    OptionForm{kCounts, OptionForm::Value::word, "as much to everyone",
               "a file that says how much goes from each rank to each other"}};

/// Ways, as flags, and numbers.
std::vector<OptionForm> options_of(std::string_view collective) {
  std::vector<OptionForm> options;
  for (const CollectiveWay& way : collective_ways()) {
    if (way.collective == collective) options.push_back({.key = way.way, .about = way.about});
  }
  if (collective == "broadcast" || collective == "reduce") {
    options.insert(options.end(), kRootOptions.begin(), kRootOptions.end());
  }
  if (collective == kAllToAll) {
    options.insert(options.end(), kAllToAllOptions.begin(), kAllToAllOptions.end());
  }
  if (collective == "send") options.insert(options.end(), kSendOptions.begin(), kSendOptions.end());
  return options;
}

/// The one that the flags name, or the first.
const CollectiveWay& way_of(const text::Spec& spec) {
  const CollectiveWay* found = nullptr;
  for (const CollectiveWay& way : collective_ways()) {
    if (way.collective != spec.name) continue;
    const bool named = std::ranges::find(spec.flags, way.way) != spec.flags.end();
    if (found == nullptr || named) found = &way;
  }
  ensure(found != nullptr, "the name is a collective's");
  if (spec.flags.size() > 1) {
    throw InputError(fmt::format("{}: one way at a time", to_string(spec)));
  }
  return *found;
}

}  // namespace

bool is_collective(const text::Spec& spec) {
  const std::span<const CollectiveWay> ways = collective_ways();
  return std::ranges::find(ways, spec.name, &CollectiveWay::collective) != ways.end();
}

std::optional<std::string> counts_file(const text::Spec& spec) {
  const auto counts = spec.options.find(std::string(kCounts));
  if (spec.name != kAllToAll || counts == spec.options.end()) return std::nullopt;
  return counts->second;
}

NamedCollective::NamedCollective(const text::Spec& spec, const topologies::Topology& topology)
    : NamedCollective(spec, topology, collectives::everyone(topology)) {}

NamedCollective::NamedCollective(const text::Spec& spec, const topologies::Topology& topology,
                                 Group group)
    : task_{.topology = topology, .members = group.size()},
      way_(&way_of(spec)),
      group_(std::move(group)),
      name_(spec.name) {
  const std::size_t hosts = topology.hosts();
  if (hosts > kMostCollectiveHosts) {
    throw InputError(
        fmt::format("{} on {} hosts; {} at most", to_string(spec), hosts, kMostCollectiveHosts));
  }
  if (way_->is_of_wiring && group_ != collectives::everyone(topology)) {
    throw InputError(
        fmt::format("{} needs the whole wiring, and not a group of its ranks", to_string(spec)));
  }
  read_options(spec);
  if (spec.name == "send") group_ = {group_.front(), group_[task_.root]};
}

void NamedCollective::read_options(const text::Spec& spec) {
  const std::vector<OptionForm> options = options_of(spec.name);
  const text::Arguments arguments(spec.name, spec, options);
  const bool sends = spec.name == "send";
  task_.root = sends ? arguments.index_or("to", task_.members - 1) : arguments.index_or("root", 0);
  task_.pieces = arguments.number_or("pieces", 8);
  if (task_.root >= task_.members) {
    const std::string whose = task_.members == task_.topology.hosts()
                                  ? task_.topology.name()
                                  : fmt::format("a group of {}", task_.members);
    throw InputError(fmt::format("{}: {} has no rank {}", to_string(spec), whose, task_.root));
  }
  if (arguments.has("pieces") && way_->way != kChain) {
    throw InputError(fmt::format("{}: pieces are of a chain", to_string(spec)));
  }
  if (task_.pieces > kMostChainPieces) {
    throw InputError(fmt::format("{}: {} pieces at most", to_string(spec), kMostChainPieces));
  }
  if (sends && task_.root == 0) throw InputError("send: a rank does not send to itself");
  if (const auto file = counts_file(spec)) {
    task_.counts = pair_counts_of(*file);
    if (task_.counts->ranks() != task_.members) {
      throw InputError(fmt::format("{}: counts of {} ranks, and {} has {}", to_string(spec),
                                   task_.counts->ranks(), task_.topology.name(), task_.members));
    }
  }
}

CollectiveTask NamedCollective::task(std::size_t elements) const {
  CollectiveTask task = task_;
  task.elements = elements;
  return task;
}

Achieved NamedCollective::achieves(const Amount& amount) const {
  Achieved achieved{
      .goal = for_group(way_->goal(task(amount.elements)), group_, task_.topology.hosts())};
  if (task_.counts) achieved.bus_factor = task_.counts->bus_factor();
  return achieved;
}

Plan NamedCollective::plan(Rank rank, const Amount& amount) const {
  const auto found = std::ranges::find(group_, rank);
  if (found == group_.end()) return {};
  const auto place = static_cast<std::size_t>(found - group_.begin());
  return way_->plan(task(amount.elements),
                    {.topology = task_.topology, .group = group_, .place = place});
}

std::string NamedCollective::file_digest() const {
  return task_.counts ? task_.counts->digest() : "";
}

std::string NamedCollective::why_no_file() const {
  return task_.counts ? ": the blocks of a plan file are equal" : "";
}

bool NamedCollective::has(Rank rank) const {
  return std::ranges::find(group_, rank) != group_.end();
}

std::size_t NamedCollective::elements(std::size_t amount) const {
  return way_->goal(task(amount)).elements;
}

std::size_t NamedCollective::lanes(const Amount& amount) const {
  return plan(group_.front(), amount).lanes.size();
}

std::shared_ptr<const Method> make_collective(const text::Spec& spec,
                                              const topologies::Topology& topology) {
  return std::make_shared<NamedCollective>(spec, topology);
}

}  // namespace gradwire::algorithms
