#include "core/caretaker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/standard_streams.h"

namespace gradwire {
namespace {

namespace fs = std::filesystem;

constexpr char kBegun = '+';
constexpr char kFinished = '-';
constexpr std::size_t kLongestMessage = 8192;

/// The socket to the caretaker. Forked processes inherit it; programs that they execute do not. The
/// caretaker hears the end of the last process that holds it.
FileDescriptor& connection() {
  static FileDescriptor to_caretaker;
  return to_caretaker;
}

void tell(char what, const fs::path& path) {
  const std::string message = what + path.string();
  while (::send(connection().get(), message.data(), message.size(), MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    if (errno == EPIPE) return;  // it was killed
    throw SystemError("tell the caretaker of " + path.string(), errno);
  }
}

/// Leaves the terminal and closes everything inherited from the parent but `socket`.
void detach(int socket) {
  ::setsid();
  ::prctl(PR_SET_NAME, "gw-caretaker");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  drop_descriptors_except(socket);
}

/// Time for the caretaker to remove what is left. It goes on without its process when that is over.
constexpr std::chrono::seconds kPatience{10};

/// Time that programs which died with the process may go on writing.
constexpr std::chrono::milliseconds kDying{50};

/// Removes `path` and everything in it, in a few attempts: a file that appears meanwhile ends an
/// attempt.
void clear_away(const fs::path& path) {
  constexpr int kAttempts = 10;
  for (int i = 0; i < kAttempts; ++i) {
    std::error_code failure;
    fs::remove_all(path, failure);
    if (!failure) return;
    std::this_thread::sleep_for(kDying);
  }
}

/// Waits until a child has ended, or the deadline has passed.
void await_end(pid_t child, const Deadline& deadline) {
  constexpr std::chrono::milliseconds kTick{1};
  for (;;) {
    const pid_t ended = ::waitpid(child, nullptr, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR) || deadline.passed()) return;
    std::this_thread::sleep_for(kTick);
  }
}

[[noreturn]] void take_care(int socket) {
  detach(socket);
  std::vector<fs::path> unfinished;
  std::array<char, kLongestMessage> message;
  for (;;) {
    const ssize_t size = ::recv(socket, message.data(), message.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    const fs::path path(message.data() + 1, message.data() + size);
    if (message[0] == kBegun) unfinished.push_back(path);
    if (message[0] == kFinished) std::erase(unfinished, path);
  }
  if (!unfinished.empty()) std::this_thread::sleep_for(kDying);
  for (const fs::path& path : unfinished) clear_away(path);
  ::_exit(0);
}

}  // namespace

Caretaker::Caretaker() {
  ensure(!connection(), "there is one caretaker at a time");
  int ends[2] = {-1, -1};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  process_ = checked(::fork(), "fork");
  if (process_ == 0) take_care(theirs.get());
  connection() = std::move(ours);
}

Caretaker::~Caretaker() {
  connection().reset();
  const SteadyClock clock;
  await_end(process_, Deadline(clock, kPatience));
}

int Caretaker::connection_of_caller() {
  return connection().get();
}

Unfinished::Unfinished(const fs::path& path) {
  if (!connection()) return;
  path_ = fs::absolute(path);
  tell(kBegun, path_);
}

Unfinished::~Unfinished() {
  if (path_.empty() || !connection()) return;
  try {
    tell(kFinished, path_);
  } catch (const std::exception&) {
    // It removes a name that is not there any more.
  }
}

}  // namespace gradwire
