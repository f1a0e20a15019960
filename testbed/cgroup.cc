#include "testbed/cgroup.h"

#include <fstream>
#include <limits>
#include <string>

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// The folders of the group "/a/b" and of the groups around it, below the mount point of their
/// hierarchy.
std::vector<fs::path> folders_of(const fs::path& mounted, const std::string& group) {
  std::vector<fs::path> folders{mounted / fs::path(group).relative_path()};
  while (folders.back() != mounted && folders.back().has_relative_path()) {
    folders.push_back(folders.back().parent_path());
  }
  return folders;
}

}  // namespace

/// Parses the lines of /proc/self/cgroup: "0::/group" of version 2, "4:memory:/group" of version 1.
std::vector<Cgroup> cgroups_with(std::string_view controller, const fs::path& root) {
  const fs::path mounted = root / "sys/fs/cgroup";
  std::vector<Cgroup> groups;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string name = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (name.empty()) {
      groups.push_back({.version = 2, .folders = folders_of(mounted, group)});
    } else if (name == controller) {
      groups.push_back({.version = 1, .folders = folders_of(mounted / name, group)});
    }
  }
  return groups;
}

std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

std::optional<double> field_of(const fs::path& file, std::string_view name) {
  std::ifstream stream(file);
  std::string word;
  while (stream >> word) {
    double number = 0;
    if (word == name && stream >> number) return number;
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

}  // namespace gradwire::testbed
