#include "harness/workers/session/forked_workers.h"

#include <cerrno>
#include <utility>

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "harness/workers/control.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

/// Between the end of a control connection and that of its process.
constexpr Nanoseconds kLastWords = 2s;

}  // namespace

ForkedWorkers::ForkedWorkers(const std::vector<int>& namespaces, const Clock& clock)
    : clock_(clock) {
  for (const int space : namespaces) {
    ControlPair pair = make_control_pair();
    auto process = testbed::ChildProcess::start({.arguments = {"/proc/self/exe", "worker"},
                                                 .namespace_fd = space,
                                                 .control = pair.theirs.get()});
    workers_.push_back({.control = std::move(pair.ours), .process = std::move(process)});
  }
}

bool ForkedWorkers::send(std::size_t rank, const ControlMessage& message) {
  try {
    send_message(workers_[rank].control.get(), message);
    return true;
  } catch (const SystemError&) {
    return false;
  }
}

std::vector<std::size_t> ForkedWorkers::poll(Nanoseconds time) {
  std::vector<pollfd> polled;
  for (const Worker& worker : workers_) {
    polled.push_back(
        {.fd = worker.gone ? -1 : worker.control.get(), .events = POLLIN, .revents = 0});
  }
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  if (::poll(polled.data(), polled.size(), static_cast<int>(milliseconds)) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0) ready.push_back(i);
  }
  return ready;
}

std::optional<ControlMessage> ForkedWorkers::receive(std::size_t rank) {
  auto message = receive_message(workers_[rank].control.get());
  if (!message) workers_[rank].gone = true;
  return message;
}

WorkerEnding ForkedWorkers::ending(std::size_t rank) {
  workers_[rank].gone = true;
  const auto ending = workers_[rank].process.wait(Deadline(clock_, kLastWords));
  return {.text = ending ? memory_kills_.explain(*ending) : "closed its control connection"};
}

std::string ForkedWorkers::standing(std::size_t rank) const {
  const auto signal = workers_[rank].process.stopped_by();
  if (!signal) return "";
  return fmt::format("stands still (state T: stopped by signal {})", *signal);
}

void ForkedWorkers::stop() {
  for (const Worker& worker : workers_) ::shutdown(worker.control.get(), SHUT_WR);
}

}  // namespace gradwire::workers
