#include "harness/commands/configured_plans.h"

#include <fmt/core.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/from_file.h"
#include "core/error.h"
#include "core/text/spec.h"

namespace gradwire::commands {
namespace {

/// More are not worth a picture, whatever a folder from elsewhere asks for.
constexpr double kMostTransfers = 2e6;

workloads::Workload workload_of(const record::Configuration& configuration) {
  try {
    workloads::Workload workload =
        workloads::parse_workload(configuration.workload, configuration.elements);
    if (workload.elements() == configuration.elements) return workload;
  } catch (const InputError&) {  // the workload is a trace, which has a name of its own
  }
  return workloads::Workload(workloads::Elements{configuration.elements});
}

}  // namespace

std::vector<Plan> configured_plans(const record::Configuration& configuration,
                                   const topologies::Topology& topology) {
  const text::Spec spec = text::parse_spec(configuration.algorithm);
  if (algorithms::names_file(spec)) {
    throw InputError(fmt::format("{} is not read for a picture", configuration.algorithm));
  }
  const workloads::Workload workload = workload_of(configuration);
  const algorithms::Algorithm algorithm = algorithms::parse_algorithm(spec, topology, workload);
  const algorithms::Amount amount{.elements = workload.elements(), .tensors = workload.tensors()};
  algorithm.check_size(amount, {.plans = topology.hosts(), .transfers = kMostTransfers});
  return algorithm.plans(amount);
}

}  // namespace gradwire::commands
