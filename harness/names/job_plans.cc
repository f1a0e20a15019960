#include "harness/names/job_plans.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/direct.h"
#include "collectives/doubling.h"
#include "collectives/ring.h"
#include "collectives/scatter_gather.h"
#include "collectives/striped_send.h"
#include "core/error.h"
#include "core/goal.h"
#include "harness/names/algorithms.h"

namespace gradwire::names {
namespace {

using collectives::Member;
using jobs::Call;
using jobs::Collective;

Parts parts(const Call& call, const Member& self) {
  return equal_parts(self.members(), call.elements);
}
std::vector<std::size_t> sizes(const Call& call, const Member& self) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < self.members(); ++i) {
    all.push_back(part({0, call.elements}, self.members(), i).count);
  }
  return all;
}

Goal sums(const Call& call, const Member& self) {
  return reduce_scatter(parts(call, self));
}
Goal shares(const Call& call, const Member& self) {
  return all_gather(parts(call, self));
}
Goal out(const Call& call, const Member& self) {
  return broadcast(self.members(), call.elements, Rank(call.root));
}
Goal in(const Call& call, const Member& self) {
  return reduce(self.members(), call.elements, Rank(call.root));
}
Goal blocks(const Call& call, const Member& self) {
  return all_to_all(self.members(), self.members() * call.elements);
}
Goal one(const Call& call, const Member&) {
  return send(call.elements);
}
template <Goal (*kGoal)(const Call&, const Member&)>
Plan at_once(const Call& call, const Member& self) {
  return collectives::direct::plan(self, kGoal(call, self));
}
template <Goal (*kGoal)(const Call&, const Member&)>
Plan in_turn(const Call& call, const Member& self) {
  return collectives::direct::pairwise(self, kGoal(call, self));
}

Plan ring_sums(const Call& call, const Member& self) {
  return collectives::ring::reduce_scatter(self, parts(call, self));
}
Plan ring_shares(const Call& call, const Member& self) {
  return collectives::ring::all_gather(self, parts(call, self));
}
Plan bruck_sums(const Call& call, const Member& self) {
  return collectives::bruck::reduce_scatter(self, sizes(call, self));
}
Plan bruck_shares(const Call& call, const Member& self) {
  return collectives::bruck::all_gather(self, sizes(call, self));
}
Plan halving(const Call& call, const Member& self) {
  return collectives::doubling::reduce_scatter(self, sizes(call, self));
}
Plan doubling(const Call& call, const Member& self) {
  return collectives::doubling::all_gather(self, sizes(call, self));
}
template <Plan (*kSums)(const Call&, const Member&), Plan (*kShares)(const Call&, const Member&)>
Plan both(const Call& call, const Member& self) {
  return then(kSums(call, self), kShares(call, self));
}
Plan binomial_out(const Call& call, const Member& self) {
  return collectives::binomial::broadcast(self, call.elements, call.root);
}
Plan binomial_in(const Call& call, const Member& self) {
  return collectives::binomial::reduce(self, call.elements, call.root);
}
Plan scattered_out(const Call& call, const Member& self) {
  return collectives::scatter_gather::broadcast(self, call.elements, call.root);
}
Plan scattered_in(const Call& call, const Member& self) {
  return collectives::scatter_gather::reduce(self, call.elements, call.root);
}
Plan striped(const Call& call, const Member& self) {
  return collectives::striped_send::plan(self, call.elements);
}

constexpr std::array kWays{
    JobWay{Collective::all_reduce, "ring", both<ring_sums, ring_shares>},
    JobWay{Collective::all_reduce, "bruck", both<bruck_sums, bruck_shares>},
    JobWay{Collective::all_reduce, "halving", both<halving, doubling>},
    JobWay{Collective::reduce_scatter, "ring", ring_sums},
    JobWay{Collective::reduce_scatter, "bruck", bruck_sums},
    JobWay{Collective::reduce_scatter, "halving", halving},
    JobWay{Collective::reduce_scatter, "direct", at_once<sums>},
    JobWay{Collective::reduce_scatter, "pairwise", in_turn<sums>},
    JobWay{Collective::all_gather, "ring", ring_shares},
    JobWay{Collective::all_gather, "bruck", bruck_shares},
    JobWay{Collective::all_gather, "doubling", doubling},
    JobWay{Collective::all_gather, "direct", at_once<shares>},
    JobWay{Collective::all_gather, "pairwise", in_turn<shares>},
    JobWay{Collective::broadcast, "binomial", binomial_out},
    JobWay{Collective::broadcast, "scatter-gather", scattered_out},
    JobWay{Collective::broadcast, "direct", at_once<out>},
    JobWay{Collective::reduce, "binomial", binomial_in},
    JobWay{Collective::reduce, "scatter-gather", scattered_in},
    JobWay{Collective::reduce, "direct", at_once<in>},
    JobWay{Collective::all_to_all, "pairwise", in_turn<blocks>},
    JobWay{Collective::all_to_all, "direct", at_once<blocks>},
    JobWay{Collective::send, "striped", striped},
    JobWay{Collective::send, "direct", at_once<one>},
};

/// The way that a name's flag says, or the first.
const JobWay& way_of(Collective collective, const std::vector<std::string>& flags) {
  for (const JobWay& way : kWays) {
    if (way.collective == collective && (flags.empty() || way.way == flags.front())) return way;
  }
  std::string known;
  for (const JobWay& way : kWays) {
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
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      plans.push_back(way.plan(call, {.topology = topology, .group = hosts, .place = place}));
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
