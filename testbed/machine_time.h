#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <sys/types.h>

#include "core/clock.h"
#include "core/units.h"

/// Times of the machine's processors so far, and which part of them was ours.
namespace gradwire::testbed {

/// Times of all processors together, from /proc/stat.
struct ProcessorTimes {
  std::size_t processors = 0;
  Seconds idle{};        ///< without work, or waiting for a disk
  Seconds interrupts{};  ///< handling interrupts, soft ones included
};
/// Parses the text of /proc/stat, whose counts are `ticks` a second. Nothing for another text.
[[nodiscard]] std::optional<ProcessorTimes> processor_times(std::string_view stat, double ticks);

/// Times of tasks so far.
struct TaskTimes {
  Nanoseconds ran{};
  Nanoseconds waited{};  ///< ready to run while others ran
};
/// The time that a task waited, from the text of /proc/PID/task/TID/schedstat. Nothing for another
/// text.
[[nodiscard]] std::optional<Nanoseconds> waited_time(std::string_view schedstat);
/// The times of a process: what its tasks ran, ended ones included, and what those that have not
/// ended waited. Nothing for a process that has ended.
[[nodiscard]] std::optional<TaskTimes> task_times(pid_t process);

/// Counters at one moment; the difference of two is what happened between them.
struct MachineTime {
  TimePoint at;
  ProcessorTimes all;
  TaskTimes ours;  ///< times of all processes in this pid namespace
};

/// Reads the counters. Ours are all processes that /proc shows: in a sandbox those that it started.
/// Takes some ten microseconds per task. Nothing where /proc is of another pid namespace, as in
/// some containers, or lacks these files.
[[nodiscard]] std::optional<MachineTime> read_machine_time(const Clock& clock);

}  // namespace gradwire::testbed
