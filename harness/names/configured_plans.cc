#include "harness/names/configured_plans.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/spec.h"
#include "harness/names/algorithms.h"
#include "harness/names/amount.h"
#include "harness/names/plan_files.h"

namespace gradwire::names {
namespace {

/// More are not worth a picture, whatever a folder from elsewhere asks for.
constexpr double kMostTransfers = 2e6;

Amount amount_of(const record::Configuration& configuration) {
  try {
    const Amount amount = names::amount_of(configuration.workload, configuration.elements);
    if (amount.elements == configuration.elements) return amount;
  } catch (const InputError&) {  // the workload is a trace, which has a name of its own
  }
  return names::amount_of("", configuration.elements);
}

}  // namespace

std::vector<Plan> configured_plans(const record::Configuration& configuration,
                                   const topologies::Topology& topology) {
  const Amount amount = amount_of(configuration);
  const text::Spec algorithm = text::parse_spec(configuration.algorithm);
  if (names_file(algorithm)) {
    throw InputError(fmt::format("{} is not read for a picture", configuration.algorithm));
  }
  check_size(algorithm, topology.hosts(), amount,
             {.plans = topology.hosts(), .transfers = kMostTransfers});
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(make_plan(algorithm, topology, Rank(i), amount));
  }
  return plans;
}

}  // namespace gradwire::names
