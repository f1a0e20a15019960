#include "harness/emulate/foreground.h"

#include <csignal>

#include <unistd.h>

namespace gradwire::emulate {

bool has_terminal() {
  return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

Foreground::Foreground() {
  termios settings{};
  if (has_terminal() && ::tcgetattr(STDIN_FILENO, &settings) == 0) before_ = settings;
}

Foreground::~Foreground() {
  if (!before_) return;
  const auto handler = std::signal(SIGTTOU, SIG_IGN);  // else it would stop: it is no foreground
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &*before_);
  std::signal(SIGTTOU, handler);
}

}  // namespace gradwire::emulate
