#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

/// Control groups, and the kernel's files of numbers.
namespace gradwire::testbed {

/// Group of processes that share a limit.
struct Cgroup {
  int version = 2;  ///< 1 or 2, which name their files differently
  /// The folder of its files, then those of the groups around it.
  std::vector<std::filesystem::path> folders;
};

/// Finds the groups by which a controller ("memory", "pids") limits this process, from /proc and
/// /sys/fs/cgroup below `root`: none, one, or one of each version.
[[nodiscard]] std::vector<Cgroup> cgroups_with(std::string_view controller,
                                               const std::filesystem::path& root);

/// The number at the beginning of a file; nothing when there is no file, or "max" in it.
[[nodiscard]] std::optional<double> number_in(const std::filesystem::path& file);

/// The number behind a name at the beginning of a line: "MemAvailable:", "oom_kill".
[[nodiscard]] std::optional<double> field_of(const std::filesystem::path& file,
                                             std::string_view name);

}  // namespace gradwire::testbed
