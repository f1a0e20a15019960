#include "testbed/children.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

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

/// Whether it is a child that has not ended.
bool lives(pid_t child) {
  siginfo_t news{};
  const auto id = static_cast<id_t>(child);
  return ::waitid(P_PID, id, &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid == 0;
}

void signal(std::span<const pid_t> children, int number) {
  for (const pid_t child : children) {
    if (lives(child)) ::kill(child, number);
  }
}

/// Blocks until all have ended or `patience` is over.
void await_ends(std::span<const pid_t> children, const Deadline& patience) {
  constexpr std::chrono::milliseconds kTick{2};
  for (const pid_t child : children) {
    while (lives(child) && !patience.passed()) std::this_thread::sleep_for(kTick);
  }
}

}  // namespace

std::vector<pid_t> own_children() {
  const pid_t self = ::getpid();
  std::vector<pid_t> children = numbers_of_children(self);
  std::erase_if(children, [self](pid_t pid) { return parent_of(pid) != self; });
  return children;
}

void end_all(std::span<const pid_t> children, const Deadline& patience) {
  signal(children, SIGTERM);
  await_ends(children, patience);
  signal(children, SIGKILL);
}

void kill_all(std::span<const pid_t> children, const Deadline& patience) {
  signal(children, SIGKILL);
  await_ends(children, patience);
}

}  // namespace gradwire::testbed
