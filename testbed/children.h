#pragma once

#include <span>
#include <vector>

#include <sys/types.h>

#include "core/clock.h"
#include "core/file_descriptor.h"

/// Processes that a child of this process has started.
namespace gradwire::testbed {

/// The current children of a process, each as a descriptor (pidfd), which never refers to a later
/// process of the same number. May lack some while others end. Empty when there is no such process.
/// Reads /proc.
[[nodiscard]] std::vector<FileDescriptor> children_of(pid_t parent);

/// Asks processes to end (SIGTERM), blocks until all have, and kills the others when `patience` is
/// over. Throws SystemError.
void end_all(std::span<const FileDescriptor> processes, const Deadline& patience);

}  // namespace gradwire::testbed
