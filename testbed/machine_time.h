#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

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

/// What a task's schedstat says.
struct TaskTimes {
  Nanoseconds ran{};
  Nanoseconds waited{};  ///< ready to run, while others ran
};
/// From the text of /proc/PID/task/TID/schedstat. Nothing for another text.
[[nodiscard]] std::optional<TaskTimes> task_times(std::string_view schedstat);

/// A moment's counts; what happened between two moments is their difference.
struct MachineTime {
  TimePoint at;
  ProcessorTimes all;
  TaskTimes ours;  ///< of all tasks of all processes in this pid namespace
};

/// Reads the counts. Ours are all processes that /proc shows: in a sandbox those that it started.
/// Takes some ten microseconds for a task. Nothing where /proc is of another pid namespace, as in
/// some containers, or has no such files.
[[nodiscard]] std::optional<MachineTime> read_machine_time(const Clock& clock);

}  // namespace gradwire::testbed
