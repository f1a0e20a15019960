#pragma once

#include <optional>

#include "testbed/process.h"

namespace gradwire::emulate {

/// The exit code by which a shell tells of an ending: 128 and the signal for one that was killed.
[[nodiscard]] int exit_code_of(const testbed::Ending& ending);
/// The exit code by which a shell tells that a command cannot be executed, for an errno: 127 where
/// there is none, 126 where it may not be.
[[nodiscard]] int exit_code_of_refusal(int error_number);

/// What several commands end with together: the first that fails decides, a signal from outside
/// more than any of them. A shell that somebody types into decides alone, and ends all.
class FirstFailure {
 public:
  /// A command has ended. True when it is the one that decides.
  bool note(const testbed::Ending& ending);
  /// The shell has ended.
  void note_shell(const testbed::Ending& ending);
  /// A signal asked this program to end.
  void note_interrupt(int signal) { interrupt_ = signal; }
  /// Commands decide nothing: there is a shell.
  void leave_to_shell() { has_shell_ = true; }

  /// All commands have to end now.
  [[nodiscard]] bool ends_all() const { return interrupt_ || code_; }
  /// What to end with when all have.
  [[nodiscard]] int exit_code() const;

 private:
  bool has_shell_ = false;
  std::optional<int> interrupt_;
  std::optional<int> code_;
};

}  // namespace gradwire::emulate
