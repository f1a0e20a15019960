#pragma once

#include "harness/run/prepare.h"

/// What a point needs of the machine that it is emulated on, and whether that is there.
namespace gradwire::run {

/// What workers need beside their gradients, per host: program, staging, kernel buffers.
inline constexpr double kBytesPerWorker = 32.0 * 1024 * 1024;
/// Of each rank, beside its lanes, the first of which runs on its first thread: those that read the
/// harness's messages, watch its links and feel its pulse.
inline constexpr double kTasksPerRank = 3;
/// Of what is left, what an emulation may take: a machine that has nothing left kills somebody.
inline constexpr double kRoomShare = 0.8;

/// Memory that the workers of a point need for their gradients, in bytes. As long as the point has no
/// Plans, without what ranks only pass on.
[[nodiscard]] double gradient_bytes(const PreparedPoint& point);
/// All that the machine has, in bytes, whoever uses it.
[[nodiscard]] double machine_bytes();

/// Throws InputError at the point's amount, saying how much is missing, when its workers need more
/// memory than the machine or this process's cgroup has left.
void require_memory(const PreparedPoint& point);
/// Throws InputError at the point's algorithm, saying how many are missing, when its ranks and the
/// threads of their lanes are more than the machine or this process's cgroup can start.
void require_tasks(const PreparedPoint& point);

}  // namespace gradwire::run
