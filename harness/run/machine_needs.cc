#include "harness/run/machine_needs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "core/lane_program.h"
#include "core/touched.h"
#include "harness/workers/preflight.h"
#include "workloads/dense/deviation.h"
#include "workloads/hybrid.h"

namespace gradwire::run {
namespace {

/// Processes and threads of a rank that mpirun has started, beside those of every worker: its keeper,
/// MPI's own threads, and those of mpirun's daemon on the host.
constexpr double kTasksPerMpiRank = 6;
/// Open files of a worker beside its connections: control, clocks and watches; libraries' own.
constexpr double kFilesPerWorker = 24;
/// Open files of a connection over a transport other than tcp, at most.
constexpr double kFilesPerLibraryConnection = 4;

/// Way to start the processes of a host: without mpirun, or by one that is told this.
using Launch = std::optional<std::vector<std::string>>;

/// The elements of a rank. A training job may need any of them for some bucket.
std::vector<Extent> elements_of(const PreparedPoint& point, Rank rank) {
  if (point.training) return {{.first = 0, .count = point.goal.elements}};
  return touched(point.goal, rank, point.plans.empty() ? Plan{} : point.plans[rank.index()]);
}

double count_of(std::span<const Extent> extents) {
  double count = 0;
  for (const Extent& extent : extents) count += static_cast<double>(extent.count);
  return count;
}

/// The most bytes that a rank has for fully connected layers, beside what it synchronizes: inputs and
/// errors of one worker, the gradient that it forms, and the reference that verifies it.
double dense_bytes(const PreparedPoint& point) {
  if (point.task.workload.dense() == nullptr) return 0;
  const workloads::DenseStack& stack = *point.task.workload.dense();
  return static_cast<double>(sizeof(float) * (stack.values() + stack.weights())) +
         dense::deviation_bytes(stack, point.configuration.ranks);
}

/// Puts together what a rank needs for some points.
class RankTally {
 public:
  RankTally(Rank rank, execution::TransportKind transport)
      : rank_(rank),
        files_per_connection_(
            transport == execution::TransportKind::tcp ? 1 : kFilesPerLibraryConnection) {}

  void add(const PreparedPoint& point) {
    const auto each = static_cast<double>(size_of(point.configuration.type));
    const Launch launch = mpirun_arguments(point);
    processes_.insert(launch);
    const std::vector<Extent> elements = elements_of(point, rank_);
    std::vector<Extent>& shared = shared_[{launch, point.configuration.type}];
    // Ranks that compute keep what they synchronize to themselves, turn or no turn.
    const bool has_own = point.task.workload.is_computed();
    if (!has_own) shared.insert(shared.end(), elements.begin(), elements.end());
    // A training job keeps its parameters, too, and a library what it receives before adding it.
    const int own =
        (has_own ? 1 : 0) + (point.training ? 1 : 0) + (point.task.algorithm.has_plans() ? 0 : 1);
    needs_.bytes += own * each * count_of(elements);
    needs_.bytes += dense_bytes(point);
    if (!point.task.algorithm.has_plans())
      needs_.descriptors += static_cast<double>(point.configuration.ranks);
    if (point.plans.empty()) return;
    const std::vector<Lane>& lanes = point.plans[rank_.index()].lanes;
    needs_.tasks += static_cast<double>(std::max<std::size_t>(lanes.size(), 1) - 1);
    for (const Lane& lane : lanes) {
      needs_.descriptors += files_per_connection_ * static_cast<double>(channels_of(lane).size());
    }
  }

  [[nodiscard]] RankNeeds sum() const {
    RankNeeds sum = needs_;
    for (const auto& [process, extents] : shared_) {
      sum.bytes += static_cast<double>(size_of(process.second)) * count_of(merged(extents));
    }
    for (const Launch& process : processes_) {
      sum.bytes += kBytesPerWorker;
      sum.tasks += 1 + kTasksPerRank + (process ? kTasksPerMpiRank : 0);
    }
    sum.descriptors += kFilesPerWorker;
    return sum;
  }

 private:
  Rank rank_;
  double files_per_connection_;
  RankNeeds needs_;
  std::set<Launch> processes_{std::nullopt};  ///< launches; those without mpirun calibrate, too
  std::map<std::pair<Launch, Dtype>, std::vector<Extent>> shared_;
};

/// Shortages of `room`, in words; nothing when it is enough. Files are of a process each.
std::vector<std::string> missing(const RankNeeds& needs, const testbed::MachineRoom& room) {
  std::vector<std::string> all;
  const double bytes = kRoomShare * room.memory_bytes;
  const double tasks = kRoomShare * room.tasks;
  if (needs.bytes > bytes) {
    all.push_back(fmt::format("{} of memory, {} more than this machine can give",
                              format_bytes(needs.bytes), format_bytes(needs.bytes - bytes)));
  }
  if (needs.tasks > tasks) {
    all.push_back(
        fmt::format("{} processes and threads, {} more than this machine can start (ulimit -u, or "
                    "pids.max of the cgroup)",
                    needs.tasks, std::ceil(needs.tasks - tasks)));
  }
  if (needs.descriptors > room.descriptors) {
    all.push_back(fmt::format("{} open files in a process, {} more than it may have (ulimit -n)",
                              needs.descriptors, needs.descriptors - room.descriptors));
  }
  return all;
}

/// Needs of all ranks on one machine: files are counted by process.
RankNeeds on_one_machine(std::span<const RankNeeds> ranks) {
  RankNeeds all;
  for (const RankNeeds& rank : ranks) {
    all.bytes += rank.bytes;
    all.tasks += rank.tasks;
    all.descriptors = std::max(all.descriptors, rank.descriptors);
  }
  return all;
}

/// The points of each wiring.
std::map<std::string, std::vector<const PreparedPoint*>> by_wiring(
    std::span<const PreparedPoint> points) {
  std::map<std::string, std::vector<const PreparedPoint*>> all;
  for (const PreparedPoint& point : points) all[point.configuration.wiring].push_back(&point);
  return all;
}

/// The needs of each host of an inventory while the points are measured in turns.
std::vector<RankNeeds> needs_by_host(std::span<const PreparedPoint> points, std::size_t hosts,
                                     execution::TransportKind transport) {
  std::vector<RankNeeds> all(hosts);
  for (const auto& [wiring, its_points] : by_wiring(points)) {
    const std::vector<RankNeeds> ranks = needs_by_rank(its_points, transport);
    for (std::size_t i = 0; i < ranks.size(); ++i) all[i] += ranks[i];
  }
  return all;
}

void require_on_hosts(std::span<const RankNeeds> needs, std::span<const HostRoom> hosts,
                      const std::string& what) {
  std::map<std::string, std::vector<std::size_t>> machines;
  for (std::size_t i = 0; i < hosts.size(); ++i) machines[hosts[i].machine].push_back(i);
  for (const auto& [machine, ranks] : machines) {
    std::vector<RankNeeds> its_needs;
    testbed::MachineRoom room = hosts[ranks.front()].room;
    for (const std::size_t rank : ranks) {
      its_needs.push_back(needs[rank]);
      const testbed::MachineRoom& left = hosts[rank].room;
      room = {.memory_bytes = std::min(room.memory_bytes, left.memory_bytes),
              .tasks = std::min(room.tasks, left.tasks),
              .descriptors = std::min(room.descriptors, left.descriptors)};
    }
    const std::vector<std::string> found = missing(on_one_machine(its_needs), room);
    if (found.empty()) continue;
    throw workers::Preflight(fmt::format("{} on the machine of rank {}: {}", what,
                                         fmt::join(ranks, ", "), fmt::join(found, "; ")));
  }
}

std::string all_in_turns(std::size_t points) {
  return fmt::format(
      "{} points that are measured in turns (interleave: false measures one after the other) need",
      points);
}

}  // namespace

RankNeeds& RankNeeds::operator+=(const RankNeeds& more) {
  bytes += more.bytes;
  tasks += more.tasks;
  descriptors += more.descriptors;
  return *this;
}

std::vector<RankNeeds> needs_by_rank(std::span<const PreparedPoint* const> points,
                                     execution::TransportKind transport) {
  std::vector<RankNeeds> needs;
  for (std::size_t i = 0; i < points.front()->configuration.ranks; ++i) {
    RankTally tally(Rank(i), transport);
    for (const PreparedPoint* const point : points) tally.add(*point);
    needs.push_back(tally.sum());
  }
  return needs;
}

double gradient_bytes(const PreparedPoint& point) {
  const PreparedPoint* const alone = &point;
  return on_one_machine(needs_by_rank({&alone, 1}, execution::TransportKind::tcp)).bytes;
}

void require_memory(const PreparedPoint& point) {
  const double needed = gradient_bytes(point);
  const double room = kRoomShare * testbed::machine_room().memory_bytes;
  if (needed <= room) return;
  throw InputError(
      point.places.amount,
      fmt::format("{} hosts with {} each need {}, {} more than this machine can give{}",
                  point.configuration.ranks,
                  format_bytes(static_cast<double>(point.configuration.bytes())),
                  format_bytes(needed), format_bytes(needed - room),
                  point.training ? "; gradwire schedule plans it without running it" : ""));
}

void require_tasks(const PreparedPoint& point) {
  const PreparedPoint* const alone = &point;
  const double needed =
      on_one_machine(needs_by_rank({&alone, 1}, execution::TransportKind::tcp)).tasks;
  const double room = kRoomShare * testbed::machine_room().tasks;
  if (needed <= room) return;
  throw InputError(
      point.places.algorithm,
      fmt::format("{} ranks with a thread for every lane are {} processes and threads, "
                  "{} more than this machine can start (ulimit -u, or pids.max of the cgroup)",
                  point.configuration.ranks, needed, std::ceil(needed - room)));
}

void require_room(const experiment::Experiment& experiment, std::span<const PreparedPoint> emulated,
                  const testbed::MachineRoom& room) {
  const std::size_t each = experiment.interleave ? emulated.size() : 1;
  for (std::size_t i = 0; i < emulated.size(); i += each) {
    std::vector<RankNeeds> all;
    for (const auto& [wiring, points] : by_wiring(emulated.subspan(i, each))) {
      const auto ranks = needs_by_rank(points, experiment.transport.kind);
      all.insert(all.end(), ranks.begin(), ranks.end());
    }
    const std::vector<std::string> found = missing(on_one_machine(all), room);
    if (found.empty()) continue;
    const PreparedPoint& first = emulated[i];
    throw InputError(
        first.places.amount,
        fmt::format("{} {}", each > 1 ? all_in_turns(each) : title_of(first) + " needs",
                    fmt::join(found, "; ")));
  }
}

void require_room_on_hosts(const experiment::Experiment& experiment,
                           std::span<const PreparedPoint> points, std::span<const HostRoom> hosts) {
  const std::size_t each = experiment.interleave ? points.size() : 1;
  for (std::size_t i = 0; i < points.size(); i += each) {
    const auto group = points.subspan(i, each);
    require_on_hosts(needs_by_host(group, hosts.size(), experiment.transport.kind), hosts,
                     each > 1 ? all_in_turns(each) : title_of(points[i]) + " needs");
  }
}

}  // namespace gradwire::run
