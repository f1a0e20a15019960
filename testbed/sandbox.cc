#include "testbed/sandbox.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {
namespace {

constexpr int kNamespaces = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw SystemError("write " + path, errno);
}

/// Makes the caller root of a user namespace in which only itself is mapped.
void enter_user_namespace() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  checked(::unshare(CLONE_NEWUSER | kNamespaces),
          "create a user namespace (gradwire doctor says what forbids it)");
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", fmt::format("0 {} 1", uid));
  write_file("/proc/self/gid_map", fmt::format("0 {} 1", gid));
}

void enter_namespaces_as_root() {
  checked(::unshare(kNamespaces), "create namespaces as root");
}

void enter_namespaces(const SandboxOptions& options) {
  if (options.machine_root) return enter_namespaces_as_root();
  try {
    enter_user_namespace();
  } catch (const SystemError&) {
    if (::geteuid() != 0) throw;
    enter_namespaces_as_root();  // no user namespaces here
  }
}

/// Mounts a /proc of the new pid namespace. Where that is forbidden (inside some containers) the
/// old one stays: its network settings are those of the reader's namespace all the same.
void mount_proc() {
  checked(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
  [[maybe_unused]] const int refused =
      ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

/// The first process of the sandbox. Never returns.
[[noreturn]] void be_first_process(const std::function<int()>& body, FileDescriptor parent_lives,
                                   const sigset_t& signals) {
  int result = 1;
  try {
    checked(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl(PR_SET_PDEATHSIG)");
    // Had the parent died before that call, nobody would kill us: the byte proves that it lives.
    char byte = 0;
    if (::read(parent_lives.get(), &byte, 1) == 1) {
      checked(::sigprocmask(SIG_UNBLOCK, &signals, nullptr), "sigprocmask");
      mount_proc();
      result = body();
    }
  } catch (...) {
    result = 1;
  }
  std::fflush(nullptr);
  ::_exit(result);
}

/// Waits for the sandbox's first process and hands signals on to it.
int wait_for(pid_t child, const sigset_t& signals) {
  while (true) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) {
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (ended < 0 && errno != EINTR) throw SystemError("waitpid", errno);
    int signal = 0;
    if (::sigwait(&signals, &signal) == 0 && signal != SIGCHLD) ::kill(child, signal);
  }
}

}  // namespace

int run_in_sandbox(const std::function<int()>& body, const SandboxOptions& options) {
  std::fflush(nullptr);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::sigaddset(&signals, signal);
  checked(::sigprocmask(SIG_BLOCK, &signals, nullptr), "sigprocmask");
  enter_namespaces(options);

  int ends[2] = {-1, -1};
  checked(::pipe2(ends, O_CLOEXEC), "pipe");
  FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    write_end.reset();
    be_first_process(body, std::move(read_end), signals);
  }
  read_end.reset();
  const char byte = 1;
  if (::write(write_end.get(), &byte, 1) != 1) throw SystemError("write to the sandbox", errno);
  return wait_for(child, signals);
}

bool works_in_sandbox(const std::function<void()>& body, const SandboxOptions& options) {
  std::fflush(nullptr);  // or the child would write what the caller has buffered once more
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    int result = 1;
    try {
      result = run_in_sandbox(
          [&body] {
            body();  // an exception ends the sandbox with 1
            return 0;
          },
          options);
    } catch (...) {
    }
    ::_exit(result);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace gradwire::testbed
