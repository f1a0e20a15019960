#pragma once

#include <optional>

#include "testbed/process.h"

namespace gradwire::emulate {

/// The exit code by which a shell reports an ending: 128 and the signal for a process that was
/// killed.
[[nodiscard]] int exit_code_of(const testbed::Ending& ending);
/// The exit code by which a shell reports that a command cannot be executed, given an errno: 127
/// where there is no such command, 126 where it may not be executed.
[[nodiscard]] int exit_code_of_refusal(int error_number);

/// Rule for the exit code of several commands: the first that fails decides, and a signal from
/// outside before any of them. A shell that somebody types into decides alone, and ends all.
class FirstFailure {
 public:
  /// Notes that a command has ended. True when it is the one that decides.
  bool note(const testbed::Ending& ending);
  /// Notes that the shell has ended.
  void note_shell(const testbed::Ending& ending);
  /// Notes that a signal asked this program to end.
  void note_interrupt(int signal) { interrupt_ = signal; }
  /// Notes that there is a shell, so that commands decide nothing.
  void leave_to_shell() { has_shell_ = true; }

  /// Whether all commands have to end now.
  [[nodiscard]] bool ends_all() const { return interrupt_ || code_; }
  /// The joint exit code, once all have ended.
  [[nodiscard]] int exit_code() const;

 private:
  bool has_shell_ = false;
  std::optional<int> interrupt_;
  std::optional<int> code_;
};

}  // namespace gradwire::emulate
