#include "testbed/machine_room.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <sys/resource.h>

#include "testbed/cgroup.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Names of a controller and of its files.
struct Controller {
  const char* name;
  const char* limit;
  const char* used;
  const char* limit_of_version_1;
  const char* used_of_version_1;
};

constexpr Controller kMemory{"memory", "memory.max", "memory.current", "memory.limit_in_bytes",
                             "memory.usage_in_bytes"};
constexpr Controller kTasks{"pids", "pids.max", "pids.current", "pids.max", "pids.current"};

/// The least that the group, or one around it, has left.
double left_in(const Controller& controller, const fs::path& root) {
  double left = kUnlimited;
  for (const Cgroup& group : cgroups_with(controller.name, root)) {
    const bool old = group.version == 1;
    for (const fs::path& folder : group.folders) {
      const auto limit =
          number_in(folder / (old ? controller.limit_of_version_1 : controller.limit));
      const auto used = number_in(folder / (old ? controller.used_of_version_1 : controller.used));
      if (limit && used) left = std::min(left, std::max(0.0, *limit - *used));
    }
  }
  return left;
}

}  // namespace

MachineRoom machine_room(const fs::path& root) {
  constexpr double kKilobyte = 1024;
  MachineRoom room{.memory_bytes = left_in(kMemory, root), .tasks = left_in(kTasks, root)};
  if (const auto available = field_of(root / "proc/meminfo", "MemAvailable:")) {
    room.memory_bytes = std::min(room.memory_bytes, *available * kKilobyte);
  }
  for (const char* limit : {"proc/sys/kernel/threads-max", "proc/sys/kernel/pid_max"}) {
    if (const auto most = number_in(root / limit)) room.tasks = std::min(room.tasks, *most);
  }
  rlimit open_files{};
  const bool is_told = ::getrlimit(RLIMIT_NOFILE, &open_files) == 0;
  const bool is_limited = is_told && open_files.rlim_cur != RLIM_INFINITY;
  room.descriptors = is_limited ? static_cast<double>(open_files.rlim_cur) : kUnlimited;
  return room;
}

}  // namespace gradwire::testbed
