#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "testbed/process.h"

/// Whether the kernel killed a process because memory had run out, which its signal does not tell.
namespace gradwire::testbed {

/// How many processes the kernel has killed for that so far: in this process's cgroup (oom_kill of
/// memory.events, or of version 1's memory.oom_control), or on the whole machine where no group
/// tells. Reads /proc and /sys/fs/cgroup below `root`. Nothing when nobody tells.
[[nodiscard]] std::optional<std::uint64_t> oom_kills(const std::filesystem::path& root = "/");

/// ": memory had run out (...)" behind an ending by SIGKILL when there were more such kills than
/// `before`; else nothing.
[[nodiscard]] std::string reason_of_kill(const Ending& ending, std::optional<std::uint64_t> before);

}  // namespace gradwire::testbed
