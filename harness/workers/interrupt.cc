#include "harness/workers/interrupt.h"

#include <atomic>
#include <csignal>

#include "testbed/sandbox.h"

namespace gradwire::workers {
namespace {

// A signal handler can reach nothing else.
std::atomic<int> interrupted = 0;  // by this signal
std::atomic<bool> asked_to_stop = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void note(int signal) {
  if (signal == SIGTSTP) {
    asked_to_stop = true;
  } else {
    interrupted = signal;
  }
}

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    const bool keep = signal == SIGHUP && before.sa_handler == SIG_IGN;
    if (!keep) ::sigaction(signal, &action, nullptr);
  }
}

void throw_if_interrupted() {
  if (const int signal = interrupted) throw Interrupted(signal);
}

void heed_signals() {
  throw_if_interrupted();
  if (!asked_to_stop) return;
  testbed::stop_until_continued();
  asked_to_stop =
      false;  // a terminal's signal may come twice: directly, and from outside a sandbox
  throw_if_interrupted();
}

}  // namespace gradwire::workers
