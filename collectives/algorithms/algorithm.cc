#include "collectives/algorithms/algorithm.h"

#include <fmt/core.h>

#include "collectives/algorithms/all_reduces.h"
#include "collectives/algorithms/collectives.h"
#include "collectives/algorithms/dense.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/groups.h"
#include "collectives/algorithms/hybrid.h"
#include "collectives/algorithms/peer.h"
#include "collectives/collective.h"
#include "collectives/plan_files/plan_writer.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "topologies/least_time.h"

namespace gradwire::algorithms {
namespace {

/// The kinds of names: which are theirs, and what they make. All-reduces come last: theirs are all
/// other names.
struct Kind {
  bool (*is_named)(const text::Spec& spec);
  std::shared_ptr<const Method> (*make)(const text::Spec& spec,
                                        const topologies::Topology& topology);
};
constexpr Kind kKinds[] = {{is_peer, make_peer},
                           {is_collective, make_collective},
                           {is_groups, make_groups},
                           {is_plan_file, make_from_file},
                           {[](const text::Spec&) { return true; }, make_all_reduce}};

std::shared_ptr<const Method> method_of(const text::Spec& spec,
                                        const topologies::Topology& topology) {
  for (const Kind& kind : kKinds) {
    if (kind.is_named(spec)) return kind.make(spec, topology);
  }
  throw InternalError("the last kind takes every name");
}

}  // namespace

std::string Method::collective() const {
  return std::string(collectives::kAllReduce);
}

Amount Method::amount_of(const workloads::Workload& workload) const {
  return {.elements = workload.elements(), .tensors = workload.tensors()};
}

std::vector<Plan> Method::plans(std::size_t ranks, const Amount& amount) const {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < ranks; ++i) plans.push_back(plan(Rank(i), amount));
  return plans;
}

std::vector<Plan> Method::stages(Rank rank, const Amount& amount) const {
  return {plan(rank, amount)};
}

std::vector<Rank> Method::workers(const Amount& amount) const {
  return contributors(achieves(amount).goal);
}

void Method::check_size(const Amount&, const PlanLimit&) const {}

bool Algorithm::is_all_reduce() const {
  return collective() == collectives::kAllReduce;
}

Algorithm Algorithm::for_elements() const {
  const Algorithm* const wrapped = method_->wrapped();
  return wrapped == nullptr ? *this : *wrapped;
}

std::vector<Plan> Algorithm::plans(const Amount& amount) const {
  return method_->plans(topology_->hosts(), amount);
}

std::vector<Plan> Algorithm::proven_plans(const Amount& amount) const {
  check_size(amount, {.plans = topology_->hosts()});
  prove();
  std::vector<Plan> made = plans(amount);
  const std::vector<std::string> findings = check_plans(made, goal(amount));
  if (findings.empty()) return made;
  throw InternalError(fmt::format("{} on {} does not reach its goal: {}", name(), topology_->name(),
                                  findings.front()));
}

std::string Algorithm::plan_text(std::size_t elements) const {
  const Amount amount{.elements = elements};
  const std::vector<Plan> made = proven_plans(amount);
  if (const plan_files::PlanFile* const file = method_->file()) return to_text(*file);
  if (const std::string why = method_->why_no_file(); !why.empty()) {
    throw InputError(fmt::format("{}{}", name(), why));
  }
  const Goal goal = this->goal(amount);
  return to_text(plan_files::plan_file_of(
      *topology_, {.name = fmt::format("{} on {}", name(), topology_->name()),
                   .collective = collective(),
                   .goal = goal,
                   .plans = made}));
}

Algorithm parse_algorithm(const text::Spec& spec, const topologies::Topology& topology,
                          const workloads::Workload& workload) {
  const Algorithm plain(spec, topology, method_of(spec, topology));
  if (const auto* const stack = workload.dense()) {
    return {spec, topology, make_for_dense(plain, *stack)};
  }
  if (const auto* const hybrid = workload.hybrid()) {
    return {spec, topology, make_for_hybrid(plain, *hybrid)};
  }
  return plain;
}

Seconds bound_of(const topologies::Topology& topology, std::span<const Plan> plans,
                 const topologies::LinkLimits& limits, Dtype type) {
  const auto each = static_cast<double>(size_of(type));
  const double least = topologies::least_time(topology, plans, limits.burst / each);
  return time_to_send(least * each, limits.payload);
}

}  // namespace gradwire::algorithms
