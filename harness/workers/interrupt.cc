#include "harness/workers/interrupt.h"

#include <atomic>
#include <csignal>

namespace gradwire::workers {
namespace {

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing else
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
  if (interrupted) throw Interrupted();
}

}  // namespace gradwire::workers
