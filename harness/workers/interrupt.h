#pragma once

#include <stdexcept>

namespace gradwire::workers {

/// The user wants to stop: thrown by waits of the harness after SIGINT, SIGTERM or SIGHUP.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// From now on these signals are noted instead of ending the process, and interrupt system calls.
void note_interrupts();

/// Throws Interrupted when one has come.
void throw_if_interrupted();

}  // namespace gradwire::workers
