#include "testbed/cgroup.h"

#include <fstream>

namespace gradwire::testbed {

namespace fs = std::filesystem;

std::vector<Cgroup> own_cgroups(const fs::path& root) {
  const fs::path mounted = root / "sys/fs/cgroup";
  std::vector<Cgroup> groups;
  std::ifstream lines(root / "proc/self/cgroup");
  // "0::/group" of version 2, "4:memory:/group" of version 1.
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controller = line.substr(first + 1, second - first - 1);
    const fs::path top = controller.empty() ? mounted : mounted / controller;
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    groups.push_back(
        {.controller = controller, .top = top, .folder = group.empty() ? top : top / group});
  }
  return groups;
}

}  // namespace gradwire::testbed
