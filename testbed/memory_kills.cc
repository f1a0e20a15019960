#include "testbed/memory_kills.h"

#include <algorithm>
#include <csignal>
#include <limits>
#include <optional>
#include <utility>

#include "core/units.h"
#include "testbed/cgroup.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

constexpr double kNoOwnLimit = std::numeric_limits<double>::infinity();
/// Smallest limit that means none: version 1 of cgroups then writes the largest number of whole
/// pages.
constexpr double kNoLimit = 9e18;

/// Counts the processes that the kernel has killed for want of memory: those of the caller's group,
/// whoever's limit was met, or else those of the whole machine.
double count_kills(const fs::path& root) {
  for (const Cgroup& group : cgroups_with("memory", root)) {
    const char* const file = group.version == 1 ? "memory.oom_control" : "memory.events";
    if (const auto kills = field_of(group.folders.front() / file, "oom_kill")) return *kills;
  }
  return field_of(root / "proc/vmstat", "oom_kill").value_or(0);
}

/// The smallest memory limit of the caller's group and those around it.
double memory_limit(const fs::path& root) {
  double least = kNoOwnLimit;
  for (const Cgroup& group : cgroups_with("memory", root)) {
    const char* const file = group.version == 1 ? "memory.limit_in_bytes" : "memory.max";
    for (const fs::path& folder : group.folders) {
      const double limit = number_in(folder / file).value_or(kNoOwnLimit);
      if (limit < kNoLimit) least = std::min(least, limit);
    }
  }
  return least;
}

}  // namespace

MemoryKills::MemoryKills(fs::path root) : root_(std::move(root)), before_(count_kills(root_)) {}

std::string MemoryKills::explain(const Ending& ending) const {
  std::string how = to_string(ending);
  if (ending.signal != SIGKILL || count_kills(root_) <= before_) return how;
  how += ": the kernel ran out of memory";
  const double limit = memory_limit(root_);
  if (limit < kNoOwnLimit) how += ": limit " + format_bytes(limit);
  return how;
}

}  // namespace gradwire::testbed
