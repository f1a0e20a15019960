#include "testbed/machine_time.h"

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

#include <fmt/core.h>
#include <unistd.h>

#include "core/to_number.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether /proc shows the processes of this pid namespace.
bool is_our_proc() {
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self", failure);
  return !failure && self.string() == std::to_string(::getpid());
}

/// Time that the tasks of a process waited. A task that has just ended adds nothing.
Nanoseconds waited_in(pid_t process) {
  Nanoseconds sum{};
  std::error_code failure;
  for (fs::directory_iterator at(fmt::format("/proc/{}/task", process), failure), end;
       !failure && at != end; at.increment(failure)) {
    sum += waited_time(text_of(at->path() / "schedstat")).value_or(Nanoseconds::zero());
  }
  return sum;
}

TaskTimes all_tasks() {
  TaskTimes sum;
  std::error_code failure;
  for (fs::directory_iterator at("/proc", failure), end; !failure && at != end;
       at.increment(failure)) {
    const auto process = to_number<pid_t>(at->path().filename().string());
    if (const auto tasks = process ? task_times(*process) : std::nullopt) {
      sum.ran += tasks->ran;
      sum.waited += tasks->waited;
    }
  }
  return sum;
}

}  // namespace

std::optional<ProcessorTimes> processor_times(std::string_view stat, double ticks) {
  // cpu user nice system idle iowait irq softirq steal ..., then the same of each processor.
  std::istringstream lines{std::string(stat)};
  std::string name;
  lines >> name;
  std::array<double, 8> counts{};
  for (double& count : counts) lines >> count;
  if (!lines || name != "cpu") return std::nullopt;
  ProcessorTimes times{.idle = Seconds((counts[3] + counts[4]) / ticks),
                       .interrupts = Seconds((counts[5] + counts[6]) / ticks)};
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("cpu")) ++times.processors;
  }
  if (times.processors == 0) return std::nullopt;
  return times;
}

std::optional<Nanoseconds> waited_time(std::string_view schedstat) {
  std::istringstream words{std::string(schedstat)};
  Nanoseconds::rep ran = 0;
  Nanoseconds::rep waited = 0;
  words >> ran >> waited;
  if (!words) return std::nullopt;
  return Nanoseconds(waited);
}

std::optional<TaskTimes> task_times(pid_t process) {
  clockid_t clock{};
  timespec ran{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &ran) != 0) {
    return std::nullopt;
  }
  return TaskTimes{.ran = std::chrono::seconds(ran.tv_sec) + Nanoseconds(ran.tv_nsec),
                   .waited = waited_in(process)};
}

std::optional<MachineTime> read_machine_time(const Clock& clock) {
  if (!is_our_proc() || !fs::exists("/proc/self/schedstat")) return std::nullopt;
  const TimePoint at = clock.now();
  const auto all =
      processor_times(text_of("/proc/stat"), static_cast<double>(::sysconf(_SC_CLK_TCK)));
  if (!all) return std::nullopt;
  return MachineTime{.at = at, .all = *all, .ours = all_tasks()};
}

}  // namespace gradwire::testbed
