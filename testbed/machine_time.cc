#include "testbed/machine_time.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

#include <unistd.h>

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether /proc shows the processes of this pid namespace.
bool is_our_proc() {
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self", failure);
  return !failure && self.string() == std::to_string(::getpid());
}

/// Adds the tasks of a process. One that has just ended adds nothing.
void add_tasks(const fs::path& process, TaskTimes& sum) {
  std::error_code failure;
  for (fs::directory_iterator at(process / "task", failure), end; !failure && at != end;
       at.increment(failure)) {
    if (const auto task = task_times(text_of(at->path() / "schedstat"))) {
      sum.ran += task->ran;
      sum.waited += task->waited;
    }
  }
}

TaskTimes all_tasks() {
  TaskTimes sum;
  std::error_code failure;
  for (fs::directory_iterator at("/proc", failure), end; !failure && at != end;
       at.increment(failure)) {
    if (is_number(at->path().filename().string())) add_tasks(at->path(), sum);
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

std::optional<TaskTimes> task_times(std::string_view schedstat) {
  std::istringstream words{std::string(schedstat)};
  Nanoseconds::rep ran = 0;
  Nanoseconds::rep waited = 0;
  words >> ran >> waited;
  if (!words) return std::nullopt;
  return TaskTimes{.ran = Nanoseconds(ran), .waited = Nanoseconds(waited)};
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
