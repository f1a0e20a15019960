#pragma once

#include <exception>

namespace gradwire::commands {

/// Exit status of the program.
enum ExitCode : int {
  kExitOk = 0,
  kExitRunFailed = 1,  ///< a peer died, the system refused, a bug
  kExitUsage = 2,      ///< the command line or a file is wrong
  kExitWrongData = 3,  ///< a verified sum was wrong
  kExitGate = 4,       ///< slower than the gate asked for
  kExitPreflight = 5,  ///< the machine, or what the ranks agreed on, does not fit
  kExitDeadline = 6,   ///< nothing moved, nobody answered, or the run took longer than allowed
};

/// Number that is added to the signal that ended the program, as a shell reports it.
inline constexpr int kSignalled = 128;

/// The exit status for an exception that reached main: 2 for InputError, 6 for a FabricError about
/// a stall or a peer that answers nothing, 1 for everything else. Requires an exception.
[[nodiscard]] ExitCode exit_code_of(const std::exception_ptr& error);

}  // namespace gradwire::commands
