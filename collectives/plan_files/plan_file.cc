#include "collectives/plan_files/plan_file.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::plan_files {
namespace {

constexpr std::size_t kMostSteps = 10'000'000;             ///< most steps of all Plans: 500 MB
constexpr std::size_t kMostFollowedBytes = 1'000'000'000;  ///< most memory of the checker

/// The elements of each rank's chunks.
Parts owned(const PlanFile& file, const ChunkBounds& bounds) {
  Parts parts(file.members);
  for (std::size_t chunk = 0; chunk < file.chunks; ++chunk) {
    parts[file.owners[chunk].index()].push_back(bounds.extent(chunk, 1));
  }
  for (std::vector<Extent>& part : parts) part = merged(std::move(part));
  return parts;
}

void check_hosts(const PlanFile& file, const topologies::Topology& topology) {
  if (file.members == topology.hosts()) return;
  throw InputError(fmt::format("{} is for {} ranks; {} has {} hosts", file.file, file.members,
                               topology.name(), topology.hosts()));
}

/// The port of the receiver.
Port port_of(const PlanFile& file, const topologies::Topology& topology, const Transfer& transfer) {
  if (!transfer.at) return topology.arrival_port(transfer.from, transfer.to);
  if (transfer.at->index() < topology.ports_per_host()) return *transfer.at;
  throw InputError(
      SourcePlace{file.file, transfer.place.line, transfer.place.column},
      fmt::format("port {} of rank {}: hosts of {} have {} ports", transfer.at->index(),
                  transfer.to.index(), topology.name(), topology.ports_per_host()));
}

/// The place of a transfer among lanes and steps, and its elements.
struct Place {
  std::size_t lane = 0;
  std::size_t step = 0;
  Extent extent;
};

/// Calls `act(transfer, place)` for each transfer that has elements.
template <class Act>
void for_each_transfer(const PlanFile& file, std::size_t elements, const Act& act) {
  const ChunkBounds bounds(file, elements);
  for (std::size_t lane = 0; lane < file.lanes.size(); ++lane) {
    for (std::size_t step = 0; step < file.lanes[lane].size(); ++step) {
      for (const Transfer& transfer : file.lanes[lane][step]) {
        const Extent extent = bounds.extent(transfer.chunk, transfer.count);
        if (!extent.empty()) act(transfer, Place{.lane = lane, .step = step, .extent = extent});
      }
    }
  }
}

/// A Plan with all steps, still empty, so that the steps of all ranks meet.
Plan empty_plan(const PlanFile& file) {
  Plan plan{.stepping = file.stepping};
  for (const FileLane& lane : file.lanes) plan.lanes.emplace_back(lane.size());
  return plan;
}

void add_send(const topologies::Topology& topology, Port port, const Transfer& transfer,
              const Place& place, Plan& plan) {
  plan.lanes[place.lane][place.step].sends.push_back(
      {topologies::send_peer(topology, transfer.from, transfer.to, port), place.extent});
}

void add_receive(const topologies::Topology& topology, Port port, const Transfer& transfer,
                 const Place& place, Plan& plan) {
  plan.lanes[place.lane][place.step].recvs.push_back(
      {topologies::receive_peer(topology, transfer.to, transfer.from, port), place.extent,
       transfer.how});
}

}  // namespace

ChunkBounds::ChunkBounds(const PlanFile& file, std::size_t elements) {
  bounds_.reserve(file.chunks + 1);
  const std::size_t n = file.members;
  const std::size_t all = file.collective == "all-to-all" ? n * elements : elements;
  for (std::size_t chunk = 0; chunk < file.chunks; ++chunk) {
    Extent found = {0, all};
    if (file.collective == "all-to-all") {
      const std::size_t pieces = file.chunks / (n * n);
      const Extent sent = part(found, n, chunk / (n * pieces));
      found = part(part(sent, n, chunk / pieces % n), pieces, chunk % pieces);
    } else {
      found = part(found, file.chunks, chunk);
    }
    bounds_.push_back(found.first);
  }
  bounds_.push_back(all);
}

Goal goal_of(const PlanFile& file, const topologies::Topology& topology, std::size_t elements) {
  check_hosts(file, topology);
  const std::size_t n = file.members;
  if (file.collective == "broadcast") return broadcast(n, elements, file.root);
  if (file.collective == "reduce") return reduce(n, elements, file.root);
  if (file.collective == "all-to-all") return all_to_all(n, n * elements);
  if (file.collective == "send") return for_group(send(elements), {Rank(0), file.root}, n);
  if (file.collective == "all-reduce") return all_reduce(n, elements, file.servers);
  Parts parts = owned(file, ChunkBounds(file, elements));
  return file.collective == "all-gather" ? all_gather(std::move(parts))
                                         : reduce_scatter(std::move(parts));
}

void check_size(const PlanFile& file, std::size_t plans) {
  std::size_t steps = 0;
  std::size_t transfers = 0;
  for (const FileLane& lane : file.lanes) {
    steps += lane.size();
    for (const FileStep& step : lane) transfers += step.size();
  }
  // The checker follows, for each rank and each run of chunks that is told apart, whose contributions
  // are there: a bit for each rank, or a word where nothing is added.
  const bool is_summed = file.collective == "all-reduce" || file.collective == "reduce-scatter" ||
                         file.collective == "reduce";
  const std::size_t runs =
      file.owners.empty() ? std::min(file.chunks, 2 * transfers + 1) : file.chunks;
  const std::size_t followed = runs * file.members * (is_summed ? 1 + file.members / 8 : 16);
  if (steps * plans <= kMostSteps && followed <= kMostFollowedBytes) return;
  throw InputError(
      fmt::format("{}: {} steps, {} transfers and {} chunks of {} ranks are too many to be proven",
                  file.file, steps, transfers, file.chunks, file.members));
}

std::vector<Plan> plans_of(const PlanFile& file, const topologies::Topology& topology,
                           std::size_t elements) {
  check_hosts(file, topology);
  std::vector<Plan> plans(file.members, empty_plan(file));
  for_each_transfer(file, elements, [&](const Transfer& transfer, const Place& place) {
    const Port port = port_of(file, topology, transfer);
    add_send(topology, port, transfer, place, plans[transfer.from.index()]);
    add_receive(topology, port, transfer, place, plans[transfer.to.index()]);
  });
  return plans;
}

Plan plan_of(const PlanFile& file, const topologies::Topology& topology, Rank rank,
             std::size_t elements) {
  check_hosts(file, topology);
  Plan plan = empty_plan(file);
  for_each_transfer(file, elements, [&](const Transfer& transfer, const Place& place) {
    if (transfer.from != rank && transfer.to != rank) return;
    const Port port = port_of(file, topology, transfer);
    if (transfer.from == rank) add_send(topology, port, transfer, place, plan);
    if (transfer.to == rank) add_receive(topology, port, transfer, place, plan);
  });
  return plan;
}

}  // namespace gradwire::plan_files
