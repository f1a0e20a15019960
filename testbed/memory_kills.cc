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
/// Version 1 of cgroups writes no limit as the largest number of whole pages.
constexpr double kNoLimit = 9e18;

/// The group's own count has every process of it that the kernel has killed for want of memory,
/// whoever's limit was met; the machine's has those of everybody.
double count_kills(const fs::path& root) {
  for (const Cgroup& group : cgroups_with("memory", root)) {
    const char* const file = group.version == 1 ? "memory.oom_control" : "memory.events";
    if (const auto kills = field_of(group.folders.front() / file, "oom_kill")) return *kills;
  }
  return field_of(root / "proc/vmstat", "oom_kill").value_or(0);
}

/// The least that a group around the caller may use.
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
