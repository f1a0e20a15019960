#include "harness/run/prepare.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/amount.h"
#include "collectives/algorithms/peer.h"
#include "core/count.h"
#include "core/error.h"
#include "core/pattern.h"
#include "core/text/yaml_reader.h"
#include "harness/run/machine_needs.h"
#include "harness/run/measured_limits.h"
#include "harness/run/point_key.h"
#include "schedule/policies.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::run {
namespace {

/// Schedules compare every layer with every other, and each layer may be a bucket with Plans of its
/// own.
constexpr std::size_t kMaxLayers = 2048;

/// Refuses a training job before any of its Plans is made. Throws InputError.
void check_training(const experiment::Point& point, const workloads::Profile& profile) {
  if (profile.layers.size() > kMaxLayers) {
    throw InputError(point.places.amount, fmt::format("{} layers; a training job takes {}",
                                                      profile.layers.size(), kMaxLayers));
  }
  if (!point.task.algorithm.is_all_reduce()) {
    throw InputError(point.places.algorithm,
                     fmt::format("{} sums no gradients for everyone; computing goes with an "
                                 "all-reduce",
                                 point.task.algorithm.name()));
  }
  if (!point.task.algorithm.is_per_tensor() || !schedule::plans_by_cost(point.task.schedule))
    return;
  throw InputError(point.places.schedule,
                   fmt::format("{} goes by what a size costs, but with {} a bucket costs what its "
                               "busiest host has of it; use a schedule that does not, such as wfbp",
                               to_string(point.task.schedule), point.task.algorithm.name()));
}

/// Refuses what a library cannot be asked for, and works out its bound. Throws InputError.
void prepare_peer(const experiment::Experiment& experiment, PreparedPoint& prepared) {
  const experiment::Task& task = prepared.task;
  text::at(prepared.places.algorithm, [&] {
    task.algorithm.peer()->check(prepared.goal.elements);
    if (task.type != Dtype::float32) {
      throw InputError(
          prepared.places.type,
          fmt::format("{} is a library, and is given float32 here", task.algorithm.name()));
    }
    if (experiment.transport.kind != execution::TransportKind::tcp) {
      throw InputError(fmt::format("{} is a library with a TCP of its own; use transport: tcp",
                                   task.algorithm.name()));
    }
    if (experiment.startup > Seconds(0)) {
      throw InputError(
          fmt::format("link.startup holds back what we send; {} is a library, and "
                      "sends when it likes",
                      task.algorithm.name()));
    }
  });
  if (experiment.rate.is_limited()) {
    prepared.bound = task.algorithm.peer()->bound(
        prepared.configuration.elements, {.payload = experiment::payload_rate(experiment)});
  }
}

/// Bytes move, and are never added.
void check_type(const PreparedPoint& prepared, std::span<const Plan> plans) {
  const experiment::Task& task = prepared.task;
  const bool is_sum = has_sums(prepared.goal);
  if (task.type != Dtype::byte || !(is_sum || std::ranges::any_of(plans, adds))) return;
  throw InputError(
      prepared.places.type,
      fmt::format("{} adds, and bytes only move; use another type", task.algorithm.name()));
}

/// Makes ready what workers run: a library, or the Plans of all ranks.
void prepare_workers(const experiment::Experiment& experiment, const topologies::Topology& topology,
                     const algorithms::Amount& amount, PreparedPoint& prepared) {
  const experiment::Task& task = prepared.task;
  if (topology.hosts() > Pattern::kMostRanks) {
    throw InputError(prepared.places.wiring,
                     fmt::format("more than {} hosts", Pattern::kMostRanks));
  }
  if (!task.algorithm.has_plans()) {
    prepare_peer(experiment, prepared);
    return;
  }
  prepared.plans =
      text::at(prepared.places.algorithm, [&] { return task.algorithm.proven_plans(amount); });
  check_type(prepared, prepared.plans);
  if (experiment.rate.is_limited()) {
    prepared.bound = algorithms::bound_of(
        topology, prepared.plans, {.payload = experiment::payload_rate(experiment)}, task.type);
  }
}

/// An emulation runs real processes on real cables: what it takes.
void prepare_emulated(const experiment::Experiment& experiment,
                      const topologies::Topology& topology, const algorithms::Amount& amount,
                      PreparedPoint& prepared) {
  if (topology.hosts() > experiment::kMaxEmulatedHosts) {
    throw InputError(prepared.places.wiring,
                     fmt::format("{} has {} hosts; the emulated backing takes {}", topology.name(),
                                 topology.hosts(), experiment::kMaxEmulatedHosts));
  }
  if (const std::string why = topologies::why_no_addresses(topology); !why.empty()) {
    throw InputError(prepared.places.wiring, fmt::format("{} cannot be emulated: {}; use backing: "
                                                         "simulated",
                                                         topology.name(), why));
  }
  require_memory(prepared);
  if (experiment.dilation) check_calibration(experiment, prepared);
  prepare_workers(experiment, topology, amount, prepared);
  require_memory(prepared);  // again, with what ranks pass on
  require_tasks(prepared);
  check_iteration(prepared, experiment.dilation.value_or(1));
}

/// The hosts of an inventory have the memory and the addresses that they have.
void prepare_on_hosts(const experiment::Experiment& experiment, const hosts::Inventory& inventory,
                      const topologies::Topology& topology, const algorithms::Amount& amount,
                      PreparedPoint& prepared) {
  hosts::require_fit(inventory, topology, prepared.places.wiring);
  prepare_workers(experiment, topology, amount, prepared);
  check_iteration(prepared, 1);
}

/// Checks what can be known of a simulation before it runs. Other ranks' Plans may be too many to
/// make before they are needed.
void prepare_simulated(const experiment::Experiment& experiment,
                       const topologies::Topology& topology, const algorithms::Amount& amount,
                       const PreparedPoint& prepared) {
  const experiment::Task& task = prepared.task;
  for (const experiment::PlannedFailure& failure : experiment.failures) {
    static_cast<void>(experiment::cables_of(failure, topology));
  }
  text::at(prepared.places.algorithm, [&] {
    if (!task.algorithm.has_plans()) {
      throw InputError(
          fmt::format("{} is a library: it moves real bytes or none, and cannot be "
                      "simulated; use backing: emulated or hosts",
                      task.algorithm.name()));
    }
    task.algorithm.check_size(amount, {.plans = 1});
    const Plan first = task.algorithm.plan(Rank(0), amount);
    check_type(prepared, {&first, 1});
    task.algorithm.prove();
  });
}

/// Throws InputError at the workload's place for more elements than an experiment may have.
void check_elements(const experiment::Point& point, std::size_t elements) {
  if (elements <= experiment::kMaxElements) return;
  throw InputError(
      point.places.amount,
      fmt::format("{} on {} ranks: {} elements; {} at most", point.task.workload.name(),
                  point.task.wiring->hosts(), elements, experiment::kMaxElements));
}

/// The amount that a point without computing synchronizes.
algorithms::Amount amount_of(const experiment::Point& point) {
  algorithms::Amount amount = point.task.algorithm.amount_of(point.task.workload);
  check_elements(point, amount.elements);
  return amount;
}

/// The goal of the point's algorithm with that amount.
algorithms::Achieved achieved_by(const experiment::Point& point, const algorithms::Amount& amount) {
  algorithms::Achieved achieved =
      text::at(point.places.algorithm, [&] { return point.task.algorithm.achieves(amount); });
  if (point.task.workload.hybrid() != nullptr) check_elements(point, achieved.goal.elements);
  return achieved;
}

PreparedPoint prepare_point(const experiment::Experiment& experiment,
                            const experiment::Point& point, record::Backing backing,
                            const hosts::Inventory* inventory) {
  const std::optional<workloads::Profile> profile = profile_of(experiment, point);
  const topologies::Topology* const topology = point.task.wiring.get();
  PreparedPoint prepared{.task = point.task, .places = point.places};
  const algorithms::Amount amount = profile ? algorithms::amount_of(*profile) : amount_of(point);
  algorithms::Achieved achieved = achieved_by(point, amount);
  prepared.goal = std::move(achieved.goal);
  prepared.bus_factor = achieved.bus_factor;
  prepared.configuration = {.point = point.index,
                            .backing = backing,
                            .wiring = topology->name(),
                            .algorithm = point.task.algorithm.name(),
                            .collective = point.task.algorithm.collective(),
                            .workload = profile ? profile->model : point.task.workload.name(),
                            .batch = point.task.batch,
                            .schedule = to_string(point.task.schedule),
                            .ranks = topology->hosts(),
                            .ports_per_host = topology->ports_per_host(),
                            .elements = amount.elements,
                            .type = point.task.type,
                            .memory = experiment.memory};
  if (profile) {
    check_training(point, *profile);
    prepared.training = {*profile, schedule::backward_pass(*profile)};
  }
  if (backing == record::Backing::emulated) {
    prepare_emulated(experiment, *topology, amount, prepared);
  } else if (backing == record::Backing::hosts) {
    prepare_on_hosts(experiment, *inventory, *topology, amount, prepared);
  } else {
    prepare_simulated(experiment, *topology, amount, prepared);
  }
  return prepared;
}

std::vector<PreparedPoint> prepare_points(const experiment::Experiment& experiment,
                                          record::Backing backing,
                                          const hosts::Inventory* inventory) {
  std::vector<PreparedPoint> prepared;
  std::map<std::string, std::size_t> seen;  // an experiment may name a point more than once
  for (const experiment::Point& point : experiment.points) {
    PreparedPoint next = prepare_point(experiment, point, backing, inventory);
    next.key = point_key(experiment, next);
    const std::size_t before = seen[next.key]++;
    if (before > 0) next.key += fmt::format("-{}", before + 1);
    prepared.push_back(std::move(next));
  }
  return prepared;
}

}  // namespace

std::optional<workloads::Profile> profile_of(const experiment::Experiment& experiment,
                                             const experiment::Point& point) {
  if (!experiment.compute) return std::nullopt;
  return experiment::make_profile(*experiment.compute, point.task.workload.name(),
                                  point.task.batch);
}

std::vector<PreparedPoint> prepare(const experiment::Experiment& experiment,
                                   record::Backing backing) {
  ensure(backing != record::Backing::hosts, "hosts come with an inventory");
  return prepare_points(experiment, backing, nullptr);
}

std::vector<PreparedPoint> prepare(const experiment::Experiment& experiment,
                                   const hosts::Inventory& inventory) {
  return prepare_points(experiment, record::Backing::hosts, &inventory);
}

PreparedPoints prepare_all(const experiment::Experiment& experiment) {
  PreparedPoints points;
  if (experiment::runs_on(experiment, record::Backing::emulated))
    points.emulated = prepare(experiment, record::Backing::emulated);
  if (experiment::runs_on(experiment, record::Backing::hosts)) {
    experiment::check_inventory(experiment);
    points.inventory = hosts::load_inventory(experiment.hosts->inventory);
    points.hosts = prepare(experiment, *points.inventory);
    if (!points.inventory->verification.empty()) {
      points.verification = load_verification(points.inventory->verification);
    }
  }
  if (experiment::runs_on(experiment, record::Backing::simulated))
    points.simulated = prepare(experiment, record::Backing::simulated);
  return points;
}

std::optional<std::vector<std::string>> mpirun_arguments(const PreparedPoint& point) {
  const algorithms::Peer* const peer = point.task.algorithm.peer();
  if (peer == nullptr || !peer->needs_mpi()) return std::nullopt;
  return peer->mpirun_arguments();
}

report::TracedPoint traced(const PreparedPoint& point) {
  report::TracedPoint traced{.configuration = point.configuration};
  if (point.training) traced.profile = &point.training->profile;
  traced.servers = servers(point.goal);
  return traced;
}

std::string title_of(const PreparedPoint& point) {
  const record::Configuration& c = point.configuration;
  std::string title = fmt::format("{} on {}", c.algorithm, c.wiring);
  if (point.training) title += fmt::format(", {} {}", c.workload, c.schedule);
  return title;
}

double busiest_port_bytes(std::span<const Plan> plans, Dtype type) {
  std::uint64_t busiest = 0;
  for (const Plan& plan : plans) {
    for (const PortCount& port : count_ports(plan)) {
      busiest = std::max({busiest, port.sent, port.received});
    }
  }
  return static_cast<double>(busiest * size_of(type));
}

double busiest_port_bytes(const PreparedPoint& point) {
  const algorithms::Peer* const peer = point.task.algorithm.peer();
  return peer != nullptr ? peer->least_port_bytes(point.configuration.elements)
                         : busiest_port_bytes(point.plans, point.configuration.type);
}

}  // namespace gradwire::run
