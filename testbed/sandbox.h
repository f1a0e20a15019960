#pragma once

#include <functional>

#include "testbed/process.h"

namespace gradwire::testbed {

struct SandboxOptions {
  /// Whether root inside is root of the machine, without a user namespace: the kernel makes RDMA
  /// devices for no other. Needs root.
  bool machine_root = false;
};

/// Runs `body` as process 1 of a new user, pid, network and mount namespace, and returns how that
/// process ended: with the result of body, or by a signal.
///
/// Everything made inside (namespaces, interfaces, processes) vanishes with that process, and it is
/// killed when the caller dies, however and whenever it dies: there is nothing to clean up. Files,
/// standard streams and the user's rights to them are the caller's. Needs no root where the kernel
/// allows user namespaces; where it does not, root does.
///
/// Moves the calling process itself into the new namespaces for good: call it once, from the only
/// thread. Blocks until body has returned. SIGINT, SIGTERM, SIGHUP and SIGTSTP are handed on to
/// process 1 meanwhile, which ignores those that the caller had no handler for. Throws SystemError,
/// with what to do about it, when the kernel refuses; an exception that leaves body is thrown here
/// as a std::runtime_error that says the same.
[[nodiscard]] Ending run_in_sandbox(const std::function<int()>& body,
                                    const SandboxOptions& options = {});

/// Descriptor of the /proc that the caller of run_in_sandbox saw, still owned: it shows the
/// machine's processes, which the sandbox's own does not. Negative outside of sandboxes, and where
/// there was none.
[[nodiscard]] int machine_proc();

/// Stops the caller as SIGSTOP does, and returns once it is continued. In process 1 of a sandbox,
/// which no signal from inside can stop, it stops the process outside that waits for it, so that a
/// shell gets its terminal back.
void stop_until_continued();

/// Whether `body` returns, rather than throws, in a sandbox. The sandbox is that of a child
/// process, so the caller stays in its namespaces. False when the kernel refuses the sandbox, too.
/// Requires a single-threaded caller. Throws SystemError when the child's end cannot be waited for.
[[nodiscard]] bool works_in_sandbox(const std::function<void()>& body,
                                    const SandboxOptions& options = {});

}  // namespace gradwire::testbed
