#pragma once

#include <functional>

namespace gradwire::testbed {

struct SandboxOptions {
  /// Without a user namespace, so that root inside is root of the machine: the kernel makes RDMA
  /// devices for no other. Needs root.
  bool machine_root = false;
};

/// Runs `body` as process 1 of a new user, pid, network and mount namespace, and returns its
/// result.
///
/// Everything made inside (namespaces, interfaces, processes) vanishes with that process, and it is
/// killed when the caller dies, however it dies: there is nothing to clean up. Files, standard
/// streams and the user's rights to them are the caller's. Needs no root where the kernel allows
/// user namespaces; where it does not, root does.
///
/// Moves the calling process itself into the new namespaces for good: call it once, from the only
/// thread. Blocks until body has returned; SIGINT, SIGTERM and SIGHUP are handed on to it
/// meanwhile. Returns 128 + signal when the process was killed. Throws SystemError, with what to do
/// about it, when the kernel refuses; an exception that leaves body ends the sandbox with result 1.
[[nodiscard]] int run_in_sandbox(const std::function<int()>& body,
                                 const SandboxOptions& options = {});

/// Whether `body` returns, rather than throws, in a sandbox. That sandbox is one of a child
/// process, so the caller stays in its namespaces. False when the kernel refuses the sandbox, too.
/// Requires a single-threaded caller.
[[nodiscard]] bool works_in_sandbox(const std::function<void()>& body,
                                    const SandboxOptions& options = {});

}  // namespace gradwire::testbed
