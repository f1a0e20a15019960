#include "harness/campaign.h"

#include <algorithm>

#include <fmt/core.h>
#include <unistd.h>

#include "core/count.h"
#include "core/error.h"
#include "core/pattern.h"
#include "harness/algorithms.h"
#include "harness/amount.h"
#include "topologies/topology.h"

namespace gradwire::harness {
namespace {

/// What workers need beside their gradients, per host: program, staging, kernel buffers.
constexpr double kBytesPerWorker = 32.0 * 1024 * 1024;

/// Runs `work`, giving an InputError without a place the place of the file it belongs to.
template <class Work>
auto placed(const SourcePlace& place, Work work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(place, error.what());
  }
}

PreparedPoint prepare_point(const Experiment& experiment, const Point& point) {
  const Amount amount = placed(point.amount_place, [&] {
    return amount_of(point.workload, static_cast<std::size_t>(point.elements));
  });
  const auto topology = topologies::make_topology(point.wiring);
  if (topology->hosts() > Pattern::kMostRanks) {
    throw InputError(point.wiring_place, fmt::format("more than {} hosts", Pattern::kMostRanks));
  }
  PreparedPoint prepared{.point = point, .bound = Seconds(0)};
  prepared.plans = placed(point.algorithm_place, [&] {
    return make_checked_plans(point.algorithm_spec, *topology, amount);
  });
  prepared.bound = bound_of(*topology, prepared.plans, experiment.rate, experiment.mtu);
  prepared.configuration = {.point = point.index,
                            .backing = experiment.backing,
                            .wiring = point.wiring,
                            .algorithm = point.algorithm,
                            .ranks = topology->hosts(),
                            .ports_per_host = topology->ports_per_host(),
                            .elements = amount.elements};
  if (gradient_bytes(prepared) > machine_bytes()) {
    throw InputError(
        point.amount_place,
        fmt::format("{} hosts with {} each need {}, more than this machine has", topology->hosts(),
                    format_bytes(static_cast<double>(prepared.configuration.bytes())),
                    format_bytes(gradient_bytes(prepared))));
  }
  return prepared;
}

}  // namespace

std::vector<PreparedPoint> prepare(const Experiment& experiment) {
  std::vector<PreparedPoint> prepared;
  for (const Point& point : experiment.points) prepared.push_back(prepare_point(experiment, point));
  return prepared;
}

double gradient_bytes(const PreparedPoint& point) {
  const auto ranks = static_cast<double>(point.configuration.ranks);
  return ranks * (static_cast<double>(point.configuration.bytes()) + kBytesPerWorker);
}

double machine_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double busiest_port_bytes(const PreparedPoint& point) {
  std::uint64_t busiest = 0;
  for (const Plan& plan : point.plans) {
    for (const PortCount& port : count_ports(plan)) {
      busiest = std::max({busiest, port.sent, port.received});
    }
  }
  return static_cast<double>(busiest) * sizeof(float);
}

}  // namespace gradwire::harness
