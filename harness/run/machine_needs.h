#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "testbed/machine_room.h"

/// Resources that measuring takes of machines, and whether they have them.
namespace gradwire::run {

/// Memory of a worker beside its gradients: program, staging, kernel buffers.
inline constexpr double kBytesPerWorker = 32.0 * 1024 * 1024;
/// Tasks of a worker beside its lanes, the first of which runs on its first thread: those that read
/// the harness's messages, watch its links and feel its pulse.
inline constexpr double kTasksPerRank = 3;
/// Share of free memory and tasks that a run may use; the rest avoids the OOM killer.
inline constexpr double kRoomShare = 0.8;

/// Resources that a rank takes of its machine.
struct RankNeeds {
  double bytes = 0;        ///< bytes of memory
  double tasks = 0;        ///< processes and threads
  double descriptors = 0;  ///< files that its worker has open

  RankNeeds& operator+=(const RankNeeds& more);
};

/// The needs of each rank while these points of one wiring are measured in turns. A rank's gradients
/// share memory, since only one point is in its turn; threads and connections stay. As long as a
/// point has no Plans, without what ranks only pass on. Requires a point.
[[nodiscard]] std::vector<RankNeeds> needs_by_rank(std::span<const PreparedPoint* const> points,
                                                   execution::TransportKind transport);

/// Memory that the workers of a point need when it is measured alone, in bytes.
[[nodiscard]] double gradient_bytes(const PreparedPoint& point);

/// Throws InputError at the point's amount, saying how much is missing, when its workers need more
/// memory than the machine or this process's cgroup has left.
void require_memory(const PreparedPoint& point);
/// Throws InputError at the point's algorithm, saying how many are missing, when its ranks and the
/// threads of their lanes are more than the machine or this process's cgroup can start.
void require_tasks(const PreparedPoint& point);

/// Throws InputError, saying how much is missing of what, when the emulated points of an experiment
/// that interleaves them need more memory, tasks or open files, all together, than there is room for.
void require_room(const experiment::Experiment& experiment, std::span<const PreparedPoint> emulated,
                  const testbed::MachineRoom& room = testbed::machine_room());

/// A host that runs a rank, as it says itself.
struct HostRoom {
  std::string machine;  ///< name that is the same for hosts that are one machine
  testbed::MachineRoom room;
};
/// Throws Preflight, saying how much is missing of what on which hosts, when these points need more
/// than there is: in turns where the experiment interleaves them, or else each by itself. `hosts` are
/// by rank.
void require_room_on_hosts(const experiment::Experiment& experiment,
                           std::span<const PreparedPoint> points, std::span<const HostRoom> hosts);

}  // namespace gradwire::run
