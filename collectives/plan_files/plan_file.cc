#include "collectives/plan_files/plan_file.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::plan_files {
namespace {

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

/// The receiver's port.
Port port_of(const PlanFile& file, const topologies::Topology& topology, const Transfer& transfer) {
  if (!transfer.at) return topology.arrival_port(transfer.from, transfer.to);
  if (transfer.at->index() < topology.ports_per_host()) return *transfer.at;
  throw InputError(
      SourcePlace{file.file, transfer.place.line, transfer.place.column},
      fmt::format("port {} of rank {}: hosts of {} have {} ports", transfer.at->index(),
                  transfer.to.index(), topology.name(), topology.ports_per_host()));
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

Plan plan_of(const PlanFile& file, const topologies::Topology& topology, Rank rank,
             std::size_t elements) {
  check_hosts(file, topology);
  const ChunkBounds bounds(file, elements);
  Plan plan{.lanes = std::vector<Lane>(file.lanes.size()), .stepping = file.stepping};
  for (std::size_t lane = 0; lane < file.lanes.size(); ++lane) {
    plan.lanes[lane].resize(file.lanes[lane].size());
    for (std::size_t step = 0; step < file.lanes[lane].size(); ++step) {
      Step& made = plan.lanes[lane][step];
      for (const Transfer& transfer : file.lanes[lane][step]) {
        const Extent extent = bounds.extent(transfer.chunk, transfer.count);
        if (extent.empty() || (transfer.from != rank && transfer.to != rank)) continue;
        const Port port = port_of(file, topology, transfer);
        if (transfer.from == rank) {
          made.sends.push_back({topologies::send_peer(topology, rank, transfer.to, port), extent});
        } else {
          made.recvs.push_back({topologies::receive_peer(topology, rank, transfer.from, port),
                                extent, transfer.how});
        }
      }
    }
  }
  return plan;
}

}  // namespace gradwire::plan_files
