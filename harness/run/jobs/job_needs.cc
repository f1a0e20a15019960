#include "harness/run/jobs/job_needs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "core/error.h"
#include "core/touched.h"
#include "core/units.h"
#include "harness/run/jobs/planned_calls.h"
#include "harness/run/machine_needs.h"
#include "testbed/machine_room.h"

namespace gradwire::run {
namespace {

/// Needs of a host, by what its rank does in channels.
struct HostNeeds {
  double bytes = 0;
  std::size_t threads = 0;
  std::size_t elements = 0;
  // Of the channel that is looked at.
  std::size_t channel = SIZE_MAX;
  double channel_bytes = 0;
  std::size_t lanes = 0;

  /// Goes to another channel; the largest call of the one before decides what that takes.
  void turn_to(std::size_t next) {
    if (channel == next) return;
    bytes += channel_bytes;
    if (lanes > 0) threads += lanes - 1;
    channel = next;
    channel_bytes = 0;
    lanes = 0;
  }
};

void add(const PlannedCall& call, std::vector<HostNeeds>& hosts) {
  for (const Rank host : call.hosts) {
    HostNeeds& needs = hosts[host.index()];
    needs.turn_to(call.channel);
    const Plan& plan = call.plans[host.index()];
    std::size_t elements = 0;
    for (const Extent& extent : touched(call.goal, host, plan)) elements += extent.count;
    const double bytes = 2.0 * static_cast<double>(elements * size_of(call.type));
    needs.channel_bytes = std::max(needs.channel_bytes, bytes);
    needs.lanes = std::max(needs.lanes, plan.lanes.size());
    needs.elements += elements * call.times;
  }
}

std::size_t streams_of(const jobs::Program& program) {
  std::set<std::uint32_t> streams;
  for (const jobs::Node& node : program.nodes) streams.insert(node.stream);
  return streams.size();
}

}  // namespace

JobNeeds needs_of(const topologies::Topology& topology, std::span<const simulator::Tenant> tenants,
                  const algorithms::JobAlgorithms& algorithms) {
  std::vector<HostNeeds> hosts(topology.hosts());
  for (const simulator::Tenant& tenant : tenants) {
    for_each_call(topology, tenant, algorithms, [&](const PlannedCall& call) { add(call, hosts); });
    for (std::size_t rank = 0; rank < tenant.seats.size(); ++rank) {
      HostNeeds& needs = hosts[tenant.seats[rank].index()];
      needs.threads += streams_of(tenant.job.programs[tenant.job.ranks[rank].program]);
    }
  }
  JobNeeds all;
  for (HostNeeds& host : hosts) {
    host.turn_to(SIZE_MAX);
    all.bytes += host.bytes;
    all.threads += static_cast<double>(host.threads);
    all.rank_threads = std::max(all.rank_threads, host.threads);
    all.rank_elements = std::max(all.rank_elements, host.elements);
  }
  return all;
}

void require_room(const JobNeeds& needs, std::size_t hosts) {
  if (needs.rank_threads > kMostRankThreads) {
    throw InputError(
        fmt::format("a rank would have {} threads, for its streams and the lanes of its "
                    "collectives; {} at most",
                    needs.rank_threads, kMostRankThreads));
  }
  const testbed::MachineRoom room = testbed::machine_room();
  const auto ranks = static_cast<double>(hosts);
  const double bytes = needs.bytes + kBytesPerWorker * ranks;
  if (bytes > kRoomShare * room.memory_bytes) {
    throw InputError(fmt::format(
        "{} hosts with the collectives of these jobs need {}, {} more than "
        "this machine can give",
        hosts, format_bytes(bytes), format_bytes(bytes - kRoomShare * room.memory_bytes)));
  }
  const double tasks = needs.threads + kTasksPerRank * ranks;
  if (tasks > kRoomShare * room.tasks) {
    throw InputError(fmt::format(
        "{} hosts with these jobs are {} processes and threads, {} more than this machine "
        "can start (ulimit -u, or pids.max of the cgroup)",
        hosts, tasks, std::ceil(tasks - kRoomShare * room.tasks)));
  }
}

}  // namespace gradwire::run
