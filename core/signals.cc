#include "core/signals.h"

#include <csignal>

namespace gradwire {

void set_signals() noexcept {
  std::signal(SIGCHLD, SIG_DFL);  // with SIG_IGN nobody is told how a child has ended
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace gradwire
