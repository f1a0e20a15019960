#pragma once

#include <span>
#include <vector>

#include <sys/types.h>

#include "core/clock.h"
#include "core/file_descriptor.h"

/// Processes that a child of ours has started.
namespace gradwire::testbed {

/// The children that a process has now, each as a descriptor (pidfd) that stays its own when the
/// number is given to another. May lack some while others end. Empty when there is no such process.
/// Reads /proc.
[[nodiscard]] std::vector<FileDescriptor> children_of(pid_t parent);

/// Asks them to end (SIGTERM), blocks until all have, and kills who has not when `patience` is
/// over. Throws SystemError.
void end_all(std::span<const FileDescriptor> processes, const Deadline& patience);

}  // namespace gradwire::testbed
