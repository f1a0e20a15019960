#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "core/units.h"

/// Processes of the machine that a sandbox stands on, and their programs.
namespace gradwire::testbed {

/// Process of the machine.
struct Program {
  pid_t process = 0;          ///< its number outside of the sandbox
  std::string name;           ///< its command in /proc: up to 15 bytes of any kind
  std::uint64_t started = 0;  ///< ticks after the machine's start; tells apart equal numbers
  Seconds ran{};              ///< all threads together, ended ones included
};

/// Parses the text of /proc/PID/stat, whose counts are `ticks` a second. Nothing for another text,
/// and for a thread of the kernel: it works for others, such as those whose packets it forwards.
[[nodiscard]] std::optional<Program> program_of(std::string_view stat, double ticks);

/// Lists all processes of the machine, a sandbox's own included, by number. To be called in a
/// sandbox; empty elsewhere, and where /proc does not show others. Takes some ten microseconds per
/// process.
[[nodiscard]] std::vector<Program> machine_programs();

/// Whether a process of machine_programs() is in the caller's pid namespace.
[[nodiscard]] bool is_ours(pid_t process);

/// The process that ran most between two listings, both by number, among those that are not
/// `claimed`; its `ran` is the time between them. Nothing when none ran.
[[nodiscard]] std::optional<Program> busiest(std::span<const Program> before,
                                             std::span<const Program> after,
                                             const std::function<bool(pid_t)>& claimed);

}  // namespace gradwire::testbed
