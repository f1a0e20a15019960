#pragma once

#include <stdexcept>

namespace gradwire::workers {

/// The user wants to stop: thrown by waits of the harness after SIGINT, SIGTERM or SIGHUP.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal) : std::runtime_error("interrupted"), signal_(signal) {}
  /// Signal that came last.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  int signal_;
};

/// Notes SIGINT, SIGTERM, SIGHUP and Ctrl-Z's SIGTSTP from now on: they interrupt system calls
/// instead of ending or stopping the process. A SIGHUP that is ignored (nohup) stays ignored.
/// Processes that are forked note theirs, too, and know of those that came before.
void note_interrupts();

/// Throws Interrupted when one has come.
void throw_if_interrupted();

/// Throws as throw_if_interrupted(), and stands still when Ctrl-Z was pressed, until the process is
/// continued: for moments at which nobody waits for an answer.
void heed_signals();

}  // namespace gradwire::workers
