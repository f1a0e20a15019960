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

/// The processes of the machine that a sandbox stands on, and what they run.
namespace gradwire::testbed {

/// A process.
struct Program {
  pid_t process = 0;          ///< as it is numbered outside of the sandbox
  std::string name;           ///< what /proc calls its command: up to 15 bytes of any kind
  std::uint64_t started = 0;  ///< ticks after the machine's start: tells apart who had one number
  Seconds ran{};              ///< all its threads together, those that have ended included
};

/// From the text of /proc/PID/stat, whose counts are `ticks` a second. Nothing for another text, and
/// for a thread of the kernel: it works for others, such as those whose packets it passes on.
[[nodiscard]] std::optional<Program> program_of(std::string_view stat, double ticks);

/// All processes of the machine, a sandbox's own included, by number. To be called in a sandbox;
/// empty elsewhere, and where /proc does not show others. Takes some ten microseconds for each.
[[nodiscard]] std::vector<Program> machine_programs();

/// Whether a process of machine_programs() is in the caller's pid namespace.
[[nodiscard]] bool is_ours(pid_t process);

/// The process that ran the most between two listings, both by number, of those that are not
/// `claimed`; `ran` is what it ran between them. Nothing when nobody ran.
[[nodiscard]] std::optional<Program> busiest(std::span<const Program> before,
                                             std::span<const Program> after,
                                             const std::function<bool(pid_t)>& claimed);

}  // namespace gradwire::testbed
