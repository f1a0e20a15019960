#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

/// What the kernel tells in files of numbers.
namespace gradwire::testbed {

/// A group of processes that share a limit.
struct Cgroup {
  int version = 2;  ///< 1 or 2: their files have other names
  /// Where its files are, and then those of each group around it.
  std::vector<std::filesystem::path> folders;
};

/// The groups by which a controller ("memory", "pids") limits this process, as /proc and
/// /sys/fs/cgroup below `root` say: none, one, or one of each version.
[[nodiscard]] std::vector<Cgroup> cgroups_with(std::string_view controller,
                                               const std::filesystem::path& root);

/// The number that a file begins with; nothing where there is no file, or "max" in it.
[[nodiscard]] std::optional<double> number_in(const std::filesystem::path& file);

/// The number behind a name that begins a line: "MemAvailable:", "oom_kill".
[[nodiscard]] std::optional<double> field_of(const std::filesystem::path& file,
                                             std::string_view name);

}  // namespace gradwire::testbed
