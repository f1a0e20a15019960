#pragma once

#include <optional>

#include <termios.h>

namespace gradwire::emulate {

/// Whether standard input is a terminal with this process in its foreground, which it may hand to a
/// shell.
[[nodiscard]] bool has_terminal();

/// Guard that takes the terminal of standard input back, with its settings, when it is destroyed: a
/// shell that had it may have been killed. Does nothing without a terminal. For the process that
/// the user has started, not for one in a sandbox.
class Foreground {
 public:
  Foreground();
  ~Foreground();
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

 private:
  std::optional<termios> before_;
};

}  // namespace gradwire::emulate
