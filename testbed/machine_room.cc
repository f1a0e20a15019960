#include "testbed/machine_room.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "testbed/cgroup.h"

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

/// What a controller calls the files with its limit and with what is used of it.
struct Names {
  const char* limit;
  const char* used;
};

/// What the group and those around it leave, each by itself.
double left_in(const Cgroup& cgroup, const Names& names) {
  double left = kUnlimited;
  fs::path group = cgroup.folder;
  while (true) {
    const std::optional<double> limit = number_in(group / names.limit);
    const std::optional<double> used = number_in(group / names.used);
    if (limit && used) left = std::min(left, std::max(0.0, *limit - *used));
    if (group == cgroup.top || !group.has_relative_path()) return left;
    group = group.parent_path();
  }
}

struct CgroupRoom {
  double memory = kUnlimited;
  double tasks = kUnlimited;
};

CgroupRoom cgroup_room(const fs::path& root) {
  constexpr Names kMemory{.limit = "memory.max", .used = "memory.current"};
  constexpr Names kMemory1{.limit = "memory.limit_in_bytes", .used = "memory.usage_in_bytes"};
  constexpr Names kTasks{.limit = "pids.max", .used = "pids.current"};
  CgroupRoom room;
  for (const Cgroup& group : own_cgroups(root)) {
    const bool all = group.controller.empty();
    if (all || group.controller == "memory") {
      room.memory = std::min(room.memory, left_in(group, all ? kMemory : kMemory1));
    }
    if (all || group.controller == "pids") {
      room.tasks = std::min(room.tasks, left_in(group, kTasks));
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
