#include "collectives/hybrid.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "collectives/direct.h"
#include "collectives/member.h"
#include "core/error.h"

namespace gradwire::collectives::hybrid {
namespace {

/// Share number `share` of `shares` of each worker's elements, at the worker and at the host.
struct Ends {
  std::vector<std::vector<Extent>> workers;  ///< by rank
  std::vector<std::vector<Extent>> host;     ///< by rank
};

Ends ends_of(const Goal& summed, const Stack& stack, std::size_t shares, std::size_t share) {
  const std::size_t ranks = summed.begins.size();
  Ends ends{.workers = Parts(ranks), .host = Parts(ranks)};
  std::vector<Extent> all;
  for (const Rank worker : contributors(summed)) {
    const Extent own{.first = all.size() * stack.inputs, .count = stack.inputs};
    all.push_back(part(own, shares, share));
    ends.workers[worker.index()] = merged({all.back()});
  }
  ends.host[stack.host.index()] = merged(std::move(all));
  return ends;
}

/// The elements of all workers' inputs; as many are all their errors.
std::size_t inputs_of_all(const Goal& summed, const Stack& stack) {
  return contributors(summed).size() * stack.inputs;
}

Goal inputs_goal(const Goal& summed, const Stack& stack, std::size_t shares, std::size_t share) {
  Ends ends = ends_of(summed, stack, shares, share);
  return {.elements = inputs_of_all(summed, stack),
          .begins = std::move(ends.workers),
          .ends = std::move(ends.host)};
}

Goal errors_goal(const Goal& summed, const Stack& stack, std::size_t shares, std::size_t share) {
  Ends ends = ends_of(summed, stack, shares, share);
  return {.elements = inputs_of_all(summed, stack),
          .begins = std::move(ends.host),
          .ends = std::move(ends.workers)};
}

/// The stepping that replaces this one where steps must not overlap. If sums are ordered, every
/// step waits for those before, which keeps their order, too: such Plans add to an element once in
/// a step.
Stepping without_overlap(Stepping stepping) {
  if (stepping == Stepping::ordered_sums) return Stepping::one_by_one;
  return stepping == Stepping::overlapped ? Stepping::in_order : stepping;
}

}  // namespace

void require_host(const Stack& stack, std::size_t ranks) {
  if (stack.host.index() < ranks) return;
  throw InputError(fmt::format("hybrid: host={}, and there are {} ranks", stack.host.value, ranks));
}

Goal goal(const Goal& summed, const Stack& stack) {
  require_host(stack, summed.begins.size());
  const std::vector<Goal> all = {summed, inputs_goal(summed, stack, 1, 0),
                                 errors_goal(summed, stack, 1, 0)};
  return beside(all);
}

std::vector<Plan> stages(const topologies::Topology& topology, Rank rank, Plan gradients,
                         const Goal& summed, const Stack& stack) {
  const Group all = everyone(topology);
  const Member self{.topology = topology, .group = all, .place = rank.index()};
  const std::size_t lanes = std::max<std::size_t>(gradients.lanes.size(), 1);
  Plan inputs{.stepping = gradients.stepping, .lane_steppings = gradients.lane_steppings};
  Plan errors = inputs;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Plan there = direct::plan(self, inputs_goal(summed, stack, lanes, lane));
    Plan back = direct::plan(self, errors_goal(summed, stack, lanes, lane));
    inputs.lanes.push_back(std::move(there.lanes.front()));
    errors.lanes.push_back(std::move(back.lanes.front()));
  }
  const std::size_t first = summed.elements;
  std::vector<Plan> plans;
  plans.push_back(shifted(std::move(inputs), first));
  plans.push_back(shifted(std::move(errors), first + inputs_of_all(summed, stack)));
  plans.push_back(std::move(gradients));
  return plans;
}

Plan plan(const topologies::Topology& topology, Rank rank, Plan gradients, const Goal& summed,
          const Stack& stack) {
  gradients.stepping = without_overlap(gradients.stepping);
  std::ranges::transform(gradients.lane_steppings, gradients.lane_steppings.begin(),
                         without_overlap);
  return in_stages(stages(topology, rank, std::move(gradients), summed, stack)).plan;
}

double busiest_port(const Goal& summed, const Stack& stack) {
  const std::vector<Rank> workers = contributors(summed);
  const bool works = std::ranges::find(workers, stack.host) != workers.end();
  const auto all = static_cast<double>(workers.size());
  const double others = works ? all - 1 : all;
  const auto each = static_cast<double>(stack.inputs);
  const auto gradients = static_cast<double>(summed.elements);
  const double sums = all > 1 ? gradients : 0;
  double busiest = others * each + (works ? sums : 0);
  if (others > 0) busiest = std::max(busiest, each + sums);
  if (workers.size() < summed.begins.size()) return busiest;
  const double moved = 2 * (all - 1) * gradients + 2 * others * each;
  return std::max(busiest, moved / all);
}

}  // namespace gradwire::collectives::hybrid
