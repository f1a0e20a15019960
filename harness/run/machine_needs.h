#pragma once

#include "harness/run/prepare.h"

/// What a point needs of the machine that it is emulated on, and whether that is there.
namespace gradwire::run {

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
