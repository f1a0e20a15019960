#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradwire::testbed {

/// A cgroup that this process is in.
struct Cgroup {
  std::string controller;        ///< of version 1: "memory"; empty: of version 2, with all
  std::filesystem::path top;     ///< where the hierarchy is mounted
  std::filesystem::path folder;  ///< of the group, in it
};

/// One for each hierarchy. Reads /proc/self/cgroup below `root`; the hierarchies are mounted where
/// they are by custom, which is not checked.
[[nodiscard]] std::vector<Cgroup> own_cgroups(const std::filesystem::path& root = "/");

}  // namespace gradwire::testbed
