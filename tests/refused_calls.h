#pragma once

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/// A kernel that lacks system calls, or a container that forbids them.
namespace gradwire::testing {

/// A system call that is younger than Linux 4.18.
struct YoungCall {
  const char* name;
  long number;
};

/// The calls that Gradwire and its libraries might make. Their numbers are those of every machine.
inline constexpr std::array<YoungCall, 17> kYoungCalls{{
    {"pidfd_send_signal", 424},
    {"io_uring_setup", 425},
    {"open_tree", 428},
    {"move_mount", 429},
    {"fsopen", 430},
    {"fsmount", 432},
    {"pidfd_open", 434},
    {"clone3", 435},
    {"close_range", 436},
    {"openat2", 437},
    {"pidfd_getfd", 438},
    {"faccessat2", 439},
    {"epoll_pwait2", 441},
    {"mount_setattr", 442},
    {"memfd_secret", 447},
    {"futex_waitv", 449},
    {"fchmodat2", 452},
}};
inline constexpr unsigned kFirstYoungCall = 424;

/// Calls that end with an errno instead of being made.
struct Refusal {
  std::string name;  ///< in the test's messages
  unsigned first;    ///< the numbers of the calls
  unsigned last;
  int error;
};

/// Calls that are refused at once: all that are younger than Linux 4.18, as such a kernel would.
[[nodiscard]] inline Refusal refusal_of_all(int error) {
  return {.name = error == ENOSYS ? "all, ENOSYS" : "all, EPERM",
          .first = kFirstYoungCall,
          .last = 999,
          .error = error};
}

/// One call that is refused in both ways: by a kernel without it, and by a container's profile.
[[nodiscard]] inline std::vector<Refusal> refusals_of(const YoungCall& call) {
  const auto number = static_cast<unsigned>(call.number);
  const std::string name = call.name;
  return {{.name = name + ", ENOSYS", .first = number, .last = number, .error = ENOSYS},
          {.name = name + ", EPERM", .first = number, .last = number, .error = EPERM}};
}

/// Refuses the calls from now on, to this thread and to what it starts. Returns whether the kernel
/// does so. Async-signal-safe.
[[nodiscard]] inline bool refuse(const Refusal& refusal) noexcept {
  const unsigned answer = SECCOMP_RET_ERRNO | static_cast<unsigned>(refusal.error);
  std::array<sock_filter, 5> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, refusal.first, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, refusal.last, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog whole{.len = program.size(), .filter = program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

/// Whether a text names a call that the refusal is of.
[[nodiscard]] inline bool names_refused(const std::string& text, const Refusal& refusal) {
  for (const YoungCall& call : kYoungCalls) {
    const auto number = static_cast<unsigned>(call.number);
    const bool refused = refusal.first <= number && number <= refusal.last;
    if (refused && text.find(call.name) != std::string::npos) return true;
  }
  return false;
}

}  // namespace gradwire::testing
