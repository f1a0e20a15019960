#include "testbed/children.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <poll.h>
#include <sys/syscall.h>

#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// The parent of a process; -1 when there is no such process.
pid_t parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos || line.size() < name_end + 4) return -1;
  const std::string rest = line.substr(name_end + 4);  // after ") S "
  return to_number<pid_t>(rest.substr(0, rest.find(' '))).value_or(-1);
}

/// The children that the kernel lists; nothing when it was built without such lists.
std::optional<std::vector<pid_t>> listed_children(pid_t parent) {
  std::vector<pid_t> pids;
  std::error_code failure;
  for (fs::directory_iterator at("/proc/" + std::to_string(parent) + "/task", failure), end;
       !failure && at != end; at.increment(failure)) {
    std::ifstream list(at->path() / "children");
    if (!list) return std::nullopt;
    for (pid_t pid = 0; list >> pid;) pids.push_back(pid);
  }
  return pids;
}

std::vector<pid_t> numbers_of_children(pid_t parent) {
  // The list may lack some while others end, so an empty one proves nothing.
  if (auto listed = listed_children(parent); listed && !listed->empty()) return std::move(*listed);
  std::vector<pid_t> pids;
  std::error_code failure;
  for (fs::directory_iterator at("/proc", failure), end; !failure && at != end;
       at.increment(failure)) {
    const auto pid = to_number<pid_t>(at->path().filename().native());
    if (pid && parent_of(*pid) == parent) pids.push_back(*pid);
  }
  return pids;
}

void signal(const FileDescriptor& process, int number) {
  ::syscall(SYS_pidfd_send_signal, process.get(), number, nullptr, 0);  // it may have ended
}

bool has_ended(const FileDescriptor& process, Nanoseconds patience) {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  pollfd polled{.fd = process.get(), .events = POLLIN, .revents = 0};
  const int ready = ::poll(&polled, 1, static_cast<int>(milliseconds));
  if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
  return ready > 0;
}

}  // namespace

std::vector<FileDescriptor> children_of(pid_t parent) {
  std::vector<FileDescriptor> children;
  for (const pid_t pid : numbers_of_children(parent)) {
    FileDescriptor child(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    // Only what is still its child was not replaced by another before it was opened.
    if (child && parent_of(pid) == parent) children.push_back(std::move(child));
  }
  return children;
}

void end_all(std::span<const FileDescriptor> processes, const Deadline& patience) {
  for (const FileDescriptor& process : processes) signal(process, SIGTERM);
  for (const FileDescriptor& process : processes) {
    while (!has_ended(process, patience.left()) && !patience.passed()) {
    }
  }
  for (const FileDescriptor& process : processes) signal(process, SIGKILL);
}

}  // namespace gradwire::testbed
