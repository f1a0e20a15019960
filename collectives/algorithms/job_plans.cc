#include "collectives/algorithms/job_plans.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "collectives/algorithms/all_reduces.h"
#include "core/error.h"

namespace gradwire::algorithms {
namespace {

using jobs::Collective;

std::vector<CollectiveWay> made_ways() {
  std::vector<CollectiveWay> ways;
  std::ranges::copy_if(collective_ways(), std::back_inserter(ways), [](const CollectiveWay& way) {
    return !way.is_of_wiring && way.way != kChain;
  });
  const auto sums =
      std::ranges::find(ways, to_string(Collective::all_reduce), &CollectiveWay::collective);
  const auto ring = std::ranges::find(sums, ways.end(), "ring", &CollectiveWay::way);
  std::rotate(sums, ring, std::next(ring));
  return ways;
}

/// The way that a name's flag says, or the first.
const CollectiveWay& find_way(Collective collective, const std::vector<std::string>& flags) {
  std::string known;
  for (const CollectiveWay& way : job_ways()) {
    if (way.collective != to_string(collective)) continue;
    if (flags.empty() || way.way == flags.front()) return way;
    known += fmt::format(" {}", way.way);
  }
  throw InputError(fmt::format("{}: in jobs no way is called '{}'; there are:{}",
                               to_string(collective), flags.front(), known));
}

void require_members(std::span<const Rank> hosts) {
  if (hosts.size() <= kMostJobMembers) return;
  throw InputError(fmt::format("a group of {} ranks; {} at most", hosts.size(), kMostJobMembers));
}

CollectiveTask task_of(const topologies::Topology& topology, const jobs::Call& call,
                       std::span<const Rank> hosts) {
  return {
      .topology = topology, .members = hosts.size(), .elements = call.elements, .root = call.root};
}

Amount amount_of(const jobs::Call& call) {
  return {.elements = call.elements, .tensors = {{.first = 0, .count = call.elements}}};
}

bool is_algorithm(const text::Spec& spec) {
  return std::ranges::find(algorithm_kinds(), spec.name, &AlgorithmKind::name) !=
         algorithm_kinds().end();
}

}  // namespace

std::span<const CollectiveWay> job_ways() {
  static const std::vector<CollectiveWay> kWays = made_ways();
  return kWays;
}

JobAlgorithms::JobAlgorithms(const std::vector<std::string>& named) {
  for (const std::string& name : named) {
    const text::Spec spec = text::parse_spec(name);
    const auto collective = jobs::find_collective(spec.name);
    if (!collective && !is_algorithm(spec)) {
      throw InputError(
          fmt::format("'{}' is neither a collective nor an algorithm for all-reduces", name));
    }
    if (collective) {
      const text::Spec plain{.name = spec.name, .flags = spec.flags};
      if (spec.flags.size() > 1 || !(spec == plain)) {
        throw InputError(
            fmt::format("{}: in a job a collective takes a way, and no options", name));
      }
      static_cast<void>(find_way(*collective, spec.flags));
    }
    const Collective what = collective.value_or(Collective::all_reduce);
    if (!named_.emplace(what, spec).second) {
      throw InputError(fmt::format("{}: a second algorithm for {}", name, to_string(what)));
    }
  }
}

const CollectiveWay* JobAlgorithms::way_of(Collective collective) const {
  const auto named = named_.find(collective);
  if (named == named_.end()) return &find_way(collective, {});
  if (!jobs::find_collective(named->second.name)) return nullptr;
  return &find_way(collective, named->second.flags);
}

Algorithm JobAlgorithms::algorithm_for(const topologies::Topology& topology, const jobs::Call& call,
                                       std::span<const Rank> hosts) const {
  const text::Spec& named = named_.at(call.what);
  if (!std::ranges::equal(hosts, collectives::everyone(topology))) {
    throw InputError(
        fmt::format("{} runs on all hosts of {} in their order, and a group is not these; "
                    "all-reduce(ring) runs "
                    "in any group",
                    to_string(named), topology.name()));
  }
  Algorithm algorithm = parse_algorithm(named, topology);
  algorithm.check_size(amount_of(call), {.plans = hosts.size()});
  return algorithm;
}

std::vector<Plan> JobAlgorithms::plans(const topologies::Topology& topology, const jobs::Call& call,
                                       std::span<const Rank> hosts) const {
  require_members(hosts);
  const CollectiveWay* const way = way_of(call.what);
  std::vector<Plan> plans;
  if (way != nullptr) {
    const CollectiveTask task = task_of(topology, call, hosts);
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      plans.push_back(way->plan(task, {.topology = topology, .group = hosts, .place = place}));
    }
    return plans;
  }
  return algorithm_for(topology, call, hosts).plans(amount_of(call));
}

Plan JobAlgorithms::plan(const topologies::Topology& topology, const jobs::Call& call,
                         std::span<const Rank> hosts, std::size_t place) const {
  require_members(hosts);
  if (const CollectiveWay* const way = way_of(call.what)) {
    return way->plan(task_of(topology, call, hosts),
                     {.topology = topology, .group = hosts, .place = place});
  }
  return algorithm_for(topology, call, hosts).plan(hosts[place], amount_of(call));
}

Goal JobAlgorithms::goal(const topologies::Topology& topology, const jobs::Call& call,
                         std::span<const Rank> hosts) const {
  require_members(hosts);
  if (const CollectiveWay* const way = way_of(call.what)) {
    return way->goal(task_of(topology, call, hosts));
  }
  return algorithm_for(topology, call, hosts).goal(amount_of(call));
}

std::string JobAlgorithms::name_of(jobs::Collective collective) const {
  const CollectiveWay* const way = way_of(collective);
  if (way == nullptr) return to_string(named_.at(collective));
  return fmt::format("{}({})", to_string(collective), way->way);
}

}  // namespace gradwire::algorithms
