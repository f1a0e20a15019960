#include "harness/campaign.h"

#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <unistd.h>

#include "core/count.h"
#include "core/error.h"
#include "core/pattern.h"
#include "harness/algorithms.h"
#include "harness/amount.h"
#include "harness/experiment/yaml_reader.h"
#include "harness/peer_algorithms.h"
#include "harness/point_key.h"
#include "harness/policies.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"
#include "topologies/topology.h"
#include "workloads/model.h"

namespace gradwire::harness {
namespace {

/// What workers need beside their gradients, per host: program, staging, kernel buffers.
constexpr double kBytesPerWorker = 32.0 * 1024 * 1024;
/// Times of more do not fit into the messages between harness and workers.
constexpr std::size_t kMaxLayers = 2048;

/// What is wrong with a training job before any of its Plans is made.
void check_training(const Point& point, const workloads::Profile& profile) {
  if (profile.layers.size() > kMaxLayers) {
    throw InputError(point.amount_place, fmt::format("{} layers; a training job takes {}",
                                                     profile.layers.size(), kMaxLayers));
  }
  if (!is_per_tensor(point.algorithm_spec) || !plans_by_cost(point.schedule_spec)) return;
  throw InputError(point.schedule_place,
                   fmt::format("{} goes by what a size costs, but with {} a bucket costs what its "
                               "busiest host has of it; use wfbp, synceasgd, ddp or fixed",
                               point.schedule, point.algorithm));
}

void check_memory(const Point& point, const PreparedPoint& prepared) {
  if (gradient_bytes(prepared) <= machine_bytes()) return;
  throw InputError(
      point.amount_place,
      fmt::format("{} hosts with {} each need {}, more than this machine has{}",
                  prepared.configuration.ranks,
                  format_bytes(static_cast<double>(prepared.configuration.bytes())),
                  format_bytes(gradient_bytes(prepared)),
                  prepared.training ? "; gradwire schedule plans it without running it" : ""));
}

/// What a library can be asked for.
void prepare_peer(const Experiment& experiment, PreparedPoint& prepared) {
  const Point& point = prepared.point;
  const Configuration& c = prepared.configuration;
  at(point.algorithm_place, [&] {
    check_peer(point.algorithm_spec, c.elements);
    if (experiment.transport.kind != TransportKind::tcp) {
      throw InputError(fmt::format("{} is a library with a TCP of its own; use transport: tcp",
                                   point.algorithm));
    }
    if (experiment.startup > Seconds(0)) {
      throw InputError(
          fmt::format("link.startup holds back what we send; {} is a library, and "
                      "sends when it likes",
                      point.algorithm));
    }
  });
  if (experiment.rate.is_limited()) {
    prepared.bound = peer_bound(c.ranks, c.elements, payload_rate(experiment));
  }
}

/// What workers run: a library, or the Plans of all ranks.
void prepare_workers(const Experiment& experiment, const topologies::Topology& topology,
                     const Amount& amount, PreparedPoint& prepared) {
  const Point& point = prepared.point;
  if (topology.hosts() > Pattern::kMostRanks) {
    throw InputError(point.wiring_place, fmt::format("more than {} hosts", Pattern::kMostRanks));
  }
  if (is_peer(point.algorithm_spec)) {
    prepare_peer(experiment, prepared);
    return;
  }
  prepared.plans = at(point.algorithm_place,
                      [&] { return make_checked_plans(point.algorithm_spec, topology, amount); });
  if (experiment.rate.is_limited()) {
    prepared.bound = bound_of(topology, prepared.plans, payload_rate(experiment));
  }
}

/// An emulation runs real processes on real cables: what it takes.
void prepare_emulated(const Experiment& experiment, const topologies::Topology& topology,
                      const Amount& amount, PreparedPoint& prepared) {
  const Point& point = prepared.point;
  if (topology.hosts() > kMaxEmulatedHosts) {
    throw InputError(point.wiring_place,
                     fmt::format("{} has {} hosts; the emulated backing takes {}", topology.name(),
                                 topology.hosts(), kMaxEmulatedHosts));
  }
  if (const std::string why = topologies::why_no_addresses(topology); !why.empty()) {
    throw InputError(point.wiring_place, fmt::format("{} cannot be emulated: {}; use backing: "
                                                     "simulated",
                                                     topology.name(), why));
  }
  check_memory(point, prepared);
  prepare_workers(experiment, topology, amount, prepared);
}

/// The hosts of an inventory have the memory and the addresses that they have.
void prepare_on_hosts(const Experiment& experiment, const Inventory& inventory,
                      const topologies::Topology& topology, const Amount& amount,
                      PreparedPoint& prepared) {
  require_fit(inventory, topology, prepared.point.wiring_place);
  prepare_workers(experiment, topology, amount, prepared);
}

/// What can be known of a simulation before it runs. Other ranks' Plans may be too many to make
/// before they are needed.
void prepare_simulated(const Experiment& experiment, const topologies::Topology& topology,
                       const Amount& amount, const Point& point) {
  for (const PlannedFailure& failure : experiment.failures) {
    static_cast<void>(cables_of(failure, topology));
  }
  at(point.algorithm_place, [&] {
    if (is_peer(point.algorithm_spec)) {
      throw InputError(
          fmt::format("{} is a library: it moves real bytes or none, and cannot be "
                      "simulated; use backing: emulated or hosts",
                      point.algorithm));
    }
    static_cast<void>(make_plan(point.algorithm_spec, topology, Rank(0), amount));
  });
}

PreparedPoint prepare_point(const Experiment& experiment, const Point& point,
                            std::string_view backing, const Inventory* inventory) {
  const std::optional<workloads::Profile> profile = profile_of(experiment, point);
  const Amount amount = profile ? amount_of(*profile) : at(point.amount_place, [&] {
    return amount_of(point.workload, static_cast<std::size_t>(point.elements));
  });
  const auto topology = topologies::make_topology(point.wiring);
  PreparedPoint prepared{.point = point};
  prepared.configuration = {.point = point.index,
                            .backing = std::string(backing),
                            .wiring = point.wiring,
                            .algorithm = point.algorithm,
                            .workload = profile ? profile->model : point.workload,
                            .batch = point.batch,
                            .schedule = point.schedule,
                            .ranks = topology->hosts(),
                            .ports_per_host = topology->ports_per_host(),
                            .elements = amount.elements};
  if (profile) {
    check_training(point, *profile);
    prepared.training = {*profile, schedule::backward_pass(*profile)};
  }
  if (backing == kEmulated) {
    prepare_emulated(experiment, *topology, amount, prepared);
  } else if (backing == kHosts) {
    prepare_on_hosts(experiment, *inventory, *topology, amount, prepared);
  } else {
    prepare_simulated(experiment, *topology, amount, point);
  }
  return prepared;
}

std::vector<PreparedPoint> prepare_points(const Experiment& experiment, std::string_view backing,
                                          const Inventory* inventory) {
  std::vector<PreparedPoint> prepared;
  std::map<std::string, std::size_t> seen;  // an experiment may name a point more than once
  for (const Point& point : experiment.points) {
    PreparedPoint next = prepare_point(experiment, point, backing, inventory);
    next.key = point_key(experiment, next);
    const std::size_t before = seen[next.key]++;
    if (before > 0) next.key += fmt::format("-{}", before + 1);
    prepared.push_back(std::move(next));
  }
  return prepared;
}

}  // namespace

std::optional<workloads::Profile> profile_of(const Experiment& experiment, const Point& point) {
  if (!experiment.compute) return std::nullopt;
  if (!point.workload.empty()) {
    static_cast<void>(
        at(point.amount_place, [&] { return workloads::load_model(point.workload); }));
  }
  return make_profile(*experiment.compute, point.workload, point.batch);
}

std::vector<PreparedPoint> prepare(const Experiment& experiment, std::string_view backing) {
  ensure(backing != kHosts, "hosts come with an inventory");
  return prepare_points(experiment, backing, nullptr);
}

std::vector<PreparedPoint> prepare(const Experiment& experiment, const Inventory& inventory) {
  return prepare_points(experiment, kHosts, &inventory);
}

PreparedPoints prepare_all(const Experiment& experiment) {
  PreparedPoints points;
  if (runs_on(experiment, kEmulated)) points.emulated = prepare(experiment, kEmulated);
  if (runs_on(experiment, kHosts)) {
    points.inventory = load_inventory(experiment.hosts->inventory);
    points.hosts = prepare(experiment, *points.inventory);
    if (!points.inventory->verification.empty()) {
      points.verification = load_verification(points.inventory->verification);
    }
  }
  if (runs_on(experiment, kSimulated)) points.simulated = prepare(experiment, kSimulated);
  return points;
}

bool is_peer(const PreparedPoint& point) {
  return is_peer(point.point.algorithm_spec);
}

std::string title_of(const PreparedPoint& point) {
  const Configuration& c = point.configuration;
  std::string title = fmt::format("{} on {}", c.algorithm, c.wiring);
  if (point.training) title += fmt::format(", {} {}", c.workload, c.schedule);
  return title;
}

double gradient_bytes(const PreparedPoint& point) {
  const auto ranks = static_cast<double>(point.configuration.ranks);
  // A training job keeps its parameters, too, and a library what it receives before adding it.
  const double buffers = 1 + (point.training ? 1 : 0) + (is_peer(point) ? 1 : 0);
  return ranks * (buffers * static_cast<double>(point.configuration.bytes()) + kBytesPerWorker);
}

double machine_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double busiest_port_bytes(std::span<const Plan> plans) {
  std::uint64_t busiest = 0;
  for (const Plan& plan : plans) {
    for (const PortCount& port : count_ports(plan)) {
      busiest = std::max({busiest, port.sent, port.received});
    }
  }
  return static_cast<double>(busiest) * sizeof(float);
}

double busiest_port_bytes(const PreparedPoint& point) {
  const Configuration& c = point.configuration;
  return is_peer(point) ? least_port_bytes(c.ranks, c.elements) : busiest_port_bytes(point.plans);
}

}  // namespace gradwire::harness
