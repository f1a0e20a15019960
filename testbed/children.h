#pragma once

#include <span>
#include <vector>

#include <sys/types.h>

#include "core/clock.h"

/// Processes that this process has started, or that were left to it. The number of one belongs to no
/// other process until this one has reaped it.
namespace gradwire::testbed {

/// The current children of this process. May lack some while others end. Reads /proc.
[[nodiscard]] std::vector<pid_t> own_children();

/// Asks children to end (SIGTERM), blocks until all have, and kills the others when `patience` is
/// over. Reaps none, and leaves alone what is no child of this process.
void end_all(std::span<const pid_t> children, const Deadline& patience);

/// Kills children (SIGKILL), and blocks until all have ended or `patience` is over. Reaps none, and
/// leaves alone what is no child of this process.
void kill_all(std::span<const pid_t> children, const Deadline& patience);

}  // namespace gradwire::testbed
