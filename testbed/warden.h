#pragma once

#include <sys/types.h>

namespace gradwire::testbed {

/// Forks and returns in the new process, with the number of its parent: the warden, which the
/// caller has become, and which never returns.
///
/// The warden waits for the new process and ends as that one does, after it has ended everything
/// that process has started and left. When `starter`, the caller's parent, dies first, it kills all
/// of them at once. The first SIGTERM that it gets goes to the new process, the second kills that.
/// It keeps none of the caller's descriptors but the one to the caretaker. Requires a
/// single-threaded caller. Returns -1, with errno, in the caller when no warden can be made.
[[nodiscard]] pid_t fork_below_warden(pid_t starter);

}  // namespace gradwire::testbed
