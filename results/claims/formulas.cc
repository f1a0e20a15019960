#include "results/claims/formulas.h"

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/amount.h"
#include "core/count.h"
#include "core/plan_check.h"
#include "core/text/spec.h"
#include "results/claims/evidence.h"
#include "schedule/optimum.h"
#include "schedule/timeline.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "workloads/trace.h"

namespace gradwire::claims {
namespace {

schedule::BackwardPass published_pass(std::string_view trace) {
  return schedule::backward_pass(workloads::published_trace(trace));
}

}  // namespace

double Planned::t_f() const {
  return topologies::step_bound(*topology, plans) / static_cast<double>(elements);
}

Planned plan_all(std::string_view algorithm, std::string_view wiring, std::size_t elements) {
  Planned planned{.topology = topologies::make_topology(wiring), .elements = elements};
  const topologies::Topology& topology = *planned.topology;
  if (elements == 0) planned.elements = 16 * topology.hosts() * topology.ports_per_host();
  planned.plans = algorithms::parse_algorithm(text::parse_spec(algorithm), topology)
                      .plans({.elements = planned.elements});
  return planned;
}

Planned plan_all_of(std::string_view algorithm, std::string_view wiring,
                    const std::string& workload) {
  Planned planned{.topology = topologies::make_topology(wiring)};
  const workloads::Workload what = workloads::parse_workload(workload);
  const algorithms::Algorithm summing =
      algorithms::parse_algorithm(text::parse_spec(algorithm), *planned.topology, what);
  const algorithms::Amount amount = summing.amount_of(what);
  planned.elements = amount.elements;
  planned.plans = summing.plans(amount);
  return planned;
}

double sent(const Planned& planned) {
  std::uint64_t sum = 0;
  for (const Plan& plan : planned.plans) {
    for (const PortCount& port : count_ports(plan)) sum += port.sent;
  }
  return static_cast<double>(sum);
}

double t_f_of(std::string_view algorithm, std::string_view wiring) {
  return plan_all(algorithm, wiring).t_f();
}

bool is_proven(const Planned& planned) {
  return check_plans(planned.plans, planned.elements).empty();
}

schedule::Affine found_on_10gbe() {
  return {Seconds(number_of("MGT-15a")), number_of("MGT-15b")};
}

schedule::Affine found_on_56gbib() {
  return {Seconds(number_of("MGT-16a")), number_of("MGT-16b")};
}

const schedule::BackwardPass& googlenet_trace() {
  static const schedule::BackwardPass pass = published_pass("googlenet-k80");
  return pass;
}

const schedule::BackwardPass& resnet50_derived() {
  static const schedule::BackwardPass pass = published_pass("resnet50-k80");
  return pass;
}

double iteration(const schedule::BackwardPass& pass, const schedule::Schedule& schedule,
                 const schedule::Affine& cost) {
  return schedule::predict(pass, schedule, cost).iteration.count();
}

schedule::Fit line_through(const Rows& rows, std::string_view algorithm) {
  std::vector<schedule::TimedSize> points;
  for (const Result& result : rows.all({.algorithm = algorithm})) {
    points.push_back(
        {static_cast<double>(result.row->configuration.bytes()), Seconds(result.gst())});
  }
  return schedule::fit_line(points);
}

Iterations iterations(const schedule::BackwardPass& pass, const schedule::Affine& cost) {
  const schedule::Schedule merged = schedule::mg_wfbp(pass, cost);
  return {.wfbp = iteration(pass, schedule::wfbp(pass), cost),
          .synceasgd = iteration(pass, schedule::synceasgd(pass), cost),
          .mg_wfbp = iteration(pass, merged, cost),
          .optimum = iteration(pass, schedule::optimum_affine(pass, cost), cost),
          .messages = merged.buckets.size(),
          .cost = cost};
}

}  // namespace gradwire::claims
