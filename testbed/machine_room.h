#pragma once

#include <cstddef>
#include <filesystem>

/// What the machine has left for an emulation.
namespace gradwire::testbed {

struct MachineRoom {
  double memory_bytes = 0;  ///< that may be taken without swapping or being killed for it
  double tasks = 0;         ///< processes and threads that may be started
  double descriptors = 0;   ///< files that a process may have open
};

/// What the kernel says is available, or what the cgroups that this process is in leave of their
/// limits where that is less. Reads /proc and /sys/fs/cgroup (version 2 or 1) below `root`. What is
/// not told limits nothing: then it is infinite.
[[nodiscard]] MachineRoom machine_room(const std::filesystem::path& root = "/");

}  // namespace gradwire::testbed
