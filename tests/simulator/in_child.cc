#include "tests/simulator/in_child.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gradwire::simulator::testing {
namespace {

bool write_all(int to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// Until the other end is closed.
std::vector<double> read_all(int from) {
  std::vector<double> values;
  for (;;) {
    double value = 0;
    auto rest = std::as_writable_bytes(std::span(&value, 1));
    while (!rest.empty()) {
      const ssize_t got = ::read(from, rest.data(), rest.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return values;
      rest = rest.subspan(static_cast<std::size_t>(got));
    }
    values.push_back(value);
  }
}

[[noreturn]] void be_child(const std::function<std::vector<double>()>& work, int to) {
  int status = 1;
  try {
    const std::vector<double> values = work();
    if (write_all(to, std::as_bytes(std::span(values)))) status = 0;
  } catch (...) {
  }
  ::_exit(status);
}

}  // namespace

std::vector<double> in_child(const std::function<std::vector<double>()>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);  // or the child would write what this process has not yet
  const pid_t child = ::fork();
  if (child == 0) be_child(work, ends[1]);
  const int fork_error = errno;
  ::close(ends[1]);
  std::vector<double> values;
  if (child > 0) values = read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0) throw std::system_error(fork_error, std::generic_category(), "fork");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw std::runtime_error("child ended with status " + std::to_string(status));
  return values;
}

double peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace gradwire::simulator::testing
