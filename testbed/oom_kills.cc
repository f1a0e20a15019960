#include "testbed/oom_kills.h"

#include <csignal>
#include <fstream>
#include <string_view>

#include "testbed/cgroup.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// Of lines of "NAME NUMBER": the number behind oom_kill.
std::optional<std::uint64_t> count_in(const fs::path& file) {
  std::ifstream lines(file);
  std::string name;
  std::uint64_t number = 0;
  while (lines >> name >> number) {
    if (name == "oom_kill") return number;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> count_of(const Cgroup& group) {
  if (group.controller.empty()) return count_in(group.folder / "memory.events");
  if (group.controller == "memory") return count_in(group.folder / "memory.oom_control");
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> oom_kills(const fs::path& root) {
  for (const Cgroup& group : own_cgroups(root)) {
    if (const auto count = count_of(group)) return count;
  }
  return count_in(root / "proc/vmstat");
}

std::string reason_of_kill(const Ending& ending, std::optional<std::uint64_t> before) {
  if (ending.signal != SIGKILL || !before) return "";
  const auto now = oom_kills();
  if (!now || *now <= *before) return "";
  return ": memory had run out, as the kernel's count of such kills says (oom_kill)";
}

}  // namespace gradwire::testbed
