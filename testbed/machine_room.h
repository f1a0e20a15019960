#pragma once

#include <cstddef>
#include <filesystem>

/// Resources that the machine has left for an emulation.
namespace gradwire::testbed {

struct MachineRoom {
  double memory_bytes = 0;  ///< memory that may be taken without swapping or being killed for it
  double tasks = 0;         ///< processes and threads that may be started
  double descriptors = 0;   ///< files that a process may have open
};

/// Measures what the kernel has available, or what the cgroups of this process leave of their
/// limits where that is less. Reads /proc and /sys/fs/cgroup (version 2 or 1) below `root`. A
/// resource of unknown size is infinite.
[[nodiscard]] MachineRoom machine_room(const std::filesystem::path& root = "/");

}  // namespace gradwire::testbed
