#include "testbed/machine_room.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The number that a file begins with; nothing where there is no file, or "max" in it.
std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

/// A file of /proc/meminfo's kind: the number behind "NAME:".
std::optional<double> field_of(const fs::path& file, std::string_view name) {
  std::ifstream stream(file);
  std::string word;
  while (stream >> word) {
    double number = 0;
    if (word == std::string(name) + ":" && stream >> number) return number;
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// Where the controllers of a cgroup have their files, and what they call them.
struct Controller {
  fs::path top;       ///< where the hierarchy is mounted
  std::string group;  ///< of this process, "/a/b"
  std::string limit;
  std::string used;
};

/// What the group and those around it leave, each by itself.
double left_in(const Controller& controller) {
  double left = kUnlimited;
  fs::path group = controller.top / fs::path(controller.group).relative_path();
  while (true) {
    const std::optional<double> limit = number_in(group / controller.limit);
    const std::optional<double> used = number_in(group / controller.used);
    if (limit && used) left = std::min(left, std::max(0.0, *limit - *used));
    if (group == controller.top || !group.has_relative_path()) return left;
    group = group.parent_path();
  }
}

struct CgroupRoom {
  double memory = kUnlimited;
  double tasks = kUnlimited;
};

/// Reads lines of /proc/self/cgroup: "0::/group" of version 2, "4:memory:/group" of version 1.
CgroupRoom cgroup_room(const fs::path& root) {
  const fs::path mounted = root / "sys/fs/cgroup";
  CgroupRoom room;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string name = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (name.empty()) {
      room.memory =
          std::min(room.memory, left_in({mounted, group, "memory.max", "memory.current"}));
      room.tasks = std::min(room.tasks, left_in({mounted, group, "pids.max", "pids.current"}));
    } else if (name == "memory") {
      const Controller memory{mounted / name, group, "memory.limit_in_bytes",
                              "memory.usage_in_bytes"};
      room.memory = std::min(room.memory, left_in(memory));
    } else if (name == "pids") {
      room.tasks =
          std::min(room.tasks, left_in({mounted / name, group, "pids.max", "pids.current"}));
    }
  }
  return room;
}

}  // namespace

MachineRoom machine_room(const fs::path& root) {
  constexpr double kKilobyte = 1024;
  const CgroupRoom group = cgroup_room(root);
  MachineRoom room{.memory_bytes = group.memory, .tasks = group.tasks};
  if (const auto available = field_of(root / "proc/meminfo", "MemAvailable")) {
    room.memory_bytes = std::min(room.memory_bytes, *available * kKilobyte);
  }
  for (const char* limit : {"proc/sys/kernel/threads-max", "proc/sys/kernel/pid_max"}) {
    if (const auto most = number_in(root / limit)) room.tasks = std::min(room.tasks, *most);
  }
  return room;
}

}  // namespace gradwire::testbed
