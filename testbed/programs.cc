#include "testbed/programs.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/file_descriptor.h"
#include "core/to_number.h"
#include "testbed/sandbox.h"

namespace gradwire::testbed {
namespace {

constexpr std::uint32_t kKernelThread = 0x00200000;  // PF_KTHREAD of Linux's <sched.h>

/// Reads a file or a link of the machine's /proc; empty when that fails.
std::string read_proc(const std::string& path) {
  std::array<char, 1024> text{};
  const FileDescriptor file(::openat(machine_proc(), path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return "";
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
}

std::string read_proc_link(const std::string& path) {
  std::array<char, 256> text{};
  const ssize_t size = ::readlinkat(machine_proc(), path.c_str(), text.data(), text.size());
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

std::optional<Program> program_of(std::string_view stat, double ticks) {
  // 4711 (name) S ppid ..., where a name may have blanks and brackets.
  const std::size_t open = stat.find(" (");
  const std::size_t close = stat.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2) {
    return std::nullopt;
  }
  const auto process = to_number<pid_t>(stat.substr(0, open));
  std::istringstream words{std::string(stat.substr(close + 2))};
  std::string word;
  for (int skipped = 0; skipped < 6; ++skipped) words >> word;
  std::uint32_t flags = 0;
  words >> flags;
  for (int skipped = 0; skipped < 4; ++skipped) words >> word;
  double user = 0;
  double system = 0;
  words >> user >> system;
  for (int skipped = 0; skipped < 6; ++skipped) words >> word;
  std::uint64_t started = 0;
  words >> started;
  if (!process || !words || (flags & kKernelThread) != 0) return std::nullopt;
  return Program{.process = *process,
                 .name = std::string(stat.substr(open + 2, close - open - 2)),
                 .started = started,
                 .ran = Seconds((user + system) / ticks)};
}

std::vector<Program> machine_programs() {
  std::vector<Program> all;
  if (machine_proc() < 0) return all;
  FileDescriptor opened(::openat(machine_proc(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return all;
  const std::unique_ptr<DIR, CloseFolder> folder(::fdopendir(opened.get()));
  if (!folder) return all;
  static_cast<void>(opened.release());  // the folder closes it
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  while (const dirent* entry = ::readdir(folder.get())) {
    if (!to_number<pid_t>(entry->d_name)) continue;
    auto program = program_of(read_proc(fmt::format("{}/stat", entry->d_name)), ticks);
    if (program) all.push_back(std::move(*program));
  }
  std::ranges::sort(all, {}, &Program::process);
  return all;
}

bool is_ours(pid_t process) {
  const std::string space = read_proc_link(fmt::format("{}/ns/pid", process));
  return !space.empty() && space == read_proc_link("self/ns/pid");
}

std::optional<Program> busiest(std::span<const Program> before, std::span<const Program> after,
                               const std::function<bool(pid_t)>& claimed) {
  std::vector<Program> ran;
  for (Program program : after) {
    const auto earlier = std::ranges::lower_bound(before, program.process, {}, &Program::process);
    const bool was_there = earlier != before.end() && earlier->process == program.process &&
                           earlier->started == program.started;
    if (was_there) program.ran -= earlier->ran;
    if (program.ran > Seconds(0)) ran.push_back(std::move(program));
  }
  std::ranges::stable_sort(ran, std::ranges::greater(), &Program::ran);
  const auto found =
      std::ranges::find_if(ran, [&](const Program& one) { return !claimed(one.process); });
  return found == ran.end() ? std::nullopt : std::optional(*found);
}

}  // namespace gradwire::testbed
