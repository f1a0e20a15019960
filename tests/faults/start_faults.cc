// Preloaded into the program, for what may happen while it starts.
// GRADWIRE_PRCTL_GATE: the first process of its sandbox waits where it asks to be killed when its
// parent dies, until the file of that name is there. It makes one with .reached behind it before.
// GRADWIRE_PRCTL_REFUSED: that call fails instead.
// GRADWIRE_HANGS_UP: SIGHUP comes once the libraries are initialized, before main.
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

void wait_at(const std::string& gate) {
  const int reached = ::open((gate + ".reached").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (reached >= 0) ::close(reached);
  for (int i = 0; i < 30'000 && ::access(gate.c_str(), F_OK) != 0; ++i) ::usleep(1000);
}

[[gnu::constructor]] void hang_up() {
  if (std::getenv("GRADWIRE_HANGS_UP") != nullptr) std::raise(SIGHUP);
}

}  // namespace

extern "C" int prctl(int operation, ...) {
  std::va_list list;
  va_start(list, operation);
  const auto first = va_arg(list, unsigned long);
  const auto second = va_arg(list, unsigned long);
  const auto third = va_arg(list, unsigned long);
  const auto fourth = va_arg(list, unsigned long);
  va_end(list);
  if (operation == PR_SET_PDEATHSIG) {
    if (std::getenv("GRADWIRE_PRCTL_REFUSED") != nullptr) {
      errno = EPERM;
      return -1;
    }
    if (const char* gate = std::getenv("GRADWIRE_PRCTL_GATE")) wait_at(gate);
  }
  using Prctl = int (*)(int, unsigned long, unsigned long, unsigned long, unsigned long);
  static const auto real = reinterpret_cast<Prctl>(::dlsym(RTLD_NEXT, "prctl"));
  return real(operation, first, second, third, fourth);
}
