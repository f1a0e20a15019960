#include "harness/names/job_plans.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "core/error.h"
#include "harness/names/algorithms.h"

namespace gradwire::names {
namespace {

using jobs::Collective;

bool is_for_jobs(const CollectiveWay& way) {
  return !way.is_of_wiring && way.way != kChain;
}

std::vector<JobWay> made_ways() {
  std::vector<JobWay> ways;
  for (const CollectiveWay& way : collective_ways()) {
    if (!is_for_jobs(way)) continue;
    ways.push_back({.collective = jobs::find_collective(way.collective).value(),
                    .way = way.way,
                    .plan = way.plan});
  }
  const auto sums = std::ranges::find(ways, Collective::all_reduce, &JobWay::collective);
  const auto ring =
      std::find_if(sums, ways.end(), [](const JobWay& way) { return way.way == "ring"; });
  std::rotate(sums, ring, std::next(ring));
  return ways;
}

/// The way that a name's flag says, or the first.
const JobWay& way_of(Collective collective, const std::vector<std::string>& flags) {
  for (const JobWay& way : job_ways()) {
    if (way.collective == collective && (flags.empty() || way.way == flags.front())) return way;
  }
  std::string known;
  for (const JobWay& way : job_ways()) {
    if (way.collective == collective) known += fmt::format(" {}", way.way);
  }
  throw InputError(fmt::format("{}: in jobs no way is called '{}'; there are:{}",
                               to_string(collective), flags.front(), known));
}

bool is_algorithm(const text::Spec& spec) {
  return std::ranges::find(algorithm_kinds(), spec.name, &AlgorithmKind::name) !=
         algorithm_kinds().end();
}

}  // namespace

std::span<const JobWay> job_ways() {
  static const std::vector<JobWay> kWays = made_ways();
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
      static_cast<void>(way_of(*collective, spec.flags));
    }
    const Collective what = collective.value_or(Collective::all_reduce);
    if (!named_.emplace(what, spec).second) {
      throw InputError(fmt::format("{}: a second algorithm for {}", name, to_string(what)));
    }
  }
}

std::vector<Plan> JobAlgorithms::plans(const topologies::Topology& topology, const jobs::Call& call,
                                       std::span<const Rank> hosts) const {
  if (hosts.size() > kMostJobMembers) {
    throw InputError(fmt::format("a group of {} ranks; {} at most", hosts.size(), kMostJobMembers));
  }
  const auto named = named_.find(call.what);
  std::vector<Plan> plans;
  if (named == named_.end() || jobs::find_collective(named->second.name)) {
    const JobWay& way =
        way_of(call.what, named == named_.end() ? std::vector<std::string>{} : named->second.flags);
    const CollectiveTask task{.topology = topology,
                              .members = hosts.size(),
                              .elements = call.elements,
                              .root = call.root};
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      plans.push_back(way.plan(task, {.topology = topology, .group = hosts, .place = place}));
    }
    return plans;
  }
  if (!std::ranges::equal(hosts, collectives::everyone(topology))) {
    throw InputError(
        fmt::format("{} runs on all hosts of {} in their order, and a group is not these; "
                    "all-reduce(ring) runs "
                    "in any group",
                    to_string(named->second), topology.name()));
  }
  const Amount amount{.elements = call.elements, .tensors = {{.first = 0, .count = call.elements}}};
  check_size(named->second, hosts.size(), amount, {.plans = hosts.size()});
  for (const Rank host : hosts) {
    plans.push_back(make_plan(named->second, topology, host, amount));
  }
  return plans;
}

std::string JobAlgorithms::name_of(jobs::Collective collective) const {
  const auto named = named_.find(collective);
  if (named != named_.end() && !jobs::find_collective(named->second.name)) {
    return to_string(named->second);
  }
  const JobWay& way =
      way_of(collective, named == named_.end() ? std::vector<std::string>{} : named->second.flags);
  return fmt::format("{}({})", to_string(collective), way.way);
}

}  // namespace gradwire::names
