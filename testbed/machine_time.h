#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <sys/types.h>

#include "core/clock.h"
#include "core/units.h"

/// What a machine's processors have done so far, and what of it was ours.
namespace gradwire::testbed {

/// What /proc/stat says of all processors together.
struct ProcessorTimes {
  std::size_t processors = 0;
  Seconds idle{};        ///< without work, or waiting for a disk
  Seconds interrupts{};  ///< handled, soft ones included
};
/// From the text of /proc/stat, whose counts are `ticks` a second. Nothing for another text.
[[nodiscard]] std::optional<ProcessorTimes> processor_times(std::string_view stat, double ticks);

/// How long tasks wanted to run, so far.
struct TaskTimes {
  Nanoseconds ran{};
  Nanoseconds waited{};  ///< ready to run, while others ran
};
/// How long a task waited, from the text of /proc/PID/task/TID/schedstat. Nothing for another text.
[[nodiscard]] std::optional<Nanoseconds> waited_time(std::string_view schedstat);
/// What the tasks of a process ran, those that have ended included, and what those that have not
/// ended waited. Nothing for a process that is no more.
[[nodiscard]] std::optional<TaskTimes> task_times(pid_t process);

/// A moment's counts; what happened between two moments is their difference.
struct MachineTime {
  TimePoint at;
  ProcessorTimes all;
  TaskTimes ours;  ///< of all processes in this pid namespace
};

/// Reads the counts. Ours are all processes that /proc shows: in a sandbox those that it started.
/// Takes some ten microseconds for a task. Nothing where /proc is of another pid namespace, as in
/// some containers, or has no such files.
[[nodiscard]] std::optional<MachineTime> read_machine_time(const Clock& clock);

}  // namespace gradwire::testbed
