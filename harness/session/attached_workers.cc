#include "harness/session/attached_workers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "harness/control.h"
#include "harness/interrupt.h"

namespace gradwire::harness {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kTick = 100ms;  // how late an interrupt may be noticed
/// For a keeper to say how its worker ended, for all to end in good order, and for mpirun to end
/// all.
constexpr Nanoseconds kLastWords = 1s;
constexpr Nanoseconds kOrderlyEnd = 5s;
constexpr Nanoseconds kHurriedEnd = 3s;

}  // namespace

AttachedWorkers::AttachedWorkers(MpirunOptions options, const Clock& clock, Nanoseconds patience)
    : clock_(clock),
      folder_("gw"),
      listener_(listen_control(folder_.path() / "control")),
      messages_(options.hosts),
      members_(options.hosts.size()) {
  start(std::move(options));
  await_all(patience);
}

void AttachedWorkers::start(MpirunOptions options) {
  int ends[2] = {-1, -1};
  checked(::pipe2(ends, O_CLOEXEC), "pipe");
  errors_ = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  checked(::fcntl(errors_.get(), F_SETFL, O_NONBLOCK), "fcntl");
  options.environment.push_back("TMPDIR=" + folder_.path().string());
  options.worker = {"worker", "--attach", (folder_.path() / "control").string()};
  process_.emplace(testbed::ChildProcess::start({.arguments = mpirun_command(options),
                                                 .environment = options.environment,
                                                 .namespace_fd = options.namespace_fd,
                                                 .output = theirs.get(),
                                                 .errors = theirs.get(),
                                                 .keeps_capabilities = options.keeps_capabilities}));
}

void AttachedWorkers::await_all(Nanoseconds patience) {
  const Deadline deadline(clock_, patience);
  const auto attached = [](const Member& member) { return static_cast<bool>(member.control); };
  while (!std::ranges::all_of(members_, attached)) {
    throw_if_interrupted();
    if (!wait_for({listener_.get()}, kTick).empty()) admit();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!members_[i].ending) continue;
      throw FabricError(FabricFailure::refused, {.rank = Rank(i)},
                        fmt::format("rank {} {} while starting; mpirun said: {}", i,
                                    *members_[i].ending, messages_.summary()));
    }
    if (!errors_ || deadline.passed()) {
      throw FabricError(
          errors_ ? FabricFailure::stalled : FabricFailure::refused, {},
          fmt::format("mpirun has not started all workers; it said: {}", messages_.summary()));
    }
  }
}

void AttachedWorkers::admit() {
  FileDescriptor control(
      checked(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept a worker"));
  const auto message = receive_message(control.get());  // the first thing that it sends
  if (!message) return;                                 // its keeper says why
  const std::size_t rank = message->at("attached");
  ensure(rank < members_.size() && !members_[rank].control, "every rank attaches itself once");
  members_[rank].control = std::move(control);
}

AttachedWorkers::~AttachedWorkers() {
  try {
    end_processes();
  } catch (const std::exception&) {
    // The process is killed below, and its daemons go with it.
  }
}

void AttachedWorkers::end_processes() {
  const bool failed = std::ranges::any_of(
      members_, [](const Member& member) { return member.gone || !member.control; });
  stop();
  const auto await_end = [this](Nanoseconds time) {
    const Deadline deadline(clock_, time);
    while (errors_ && !deadline.passed()) static_cast<void>(wait_for({}, deadline.left()));
  };
  if (!failed) await_end(kOrderlyEnd);
  if (errors_) process_->kill(SIGTERM);
  await_end(kHurriedEnd);
  static_cast<void>(process_->wait(Deadline(clock_, kLastWords)));
}

std::vector<std::size_t> AttachedWorkers::wait_for(const std::vector<int>& fds, Nanoseconds time) {
  std::vector<pollfd> polled;
  for (const int fd : fds) polled.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  polled.push_back({.fd = errors_.get(), .events = POLLIN, .revents = 0});
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  if (::poll(polled.data(), polled.size(), static_cast<int>(milliseconds)) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  if (polled.back().revents != 0) take_errors();
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < fds.size(); ++i) {
    if (polled[i].revents != 0) ready.push_back(i);
  }
  return ready;
}

void AttachedWorkers::take_errors() {
  std::array<char, 16 * 1024> text{};
  const ssize_t size = ::read(errors_.get(), text.data(), text.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    errors_.reset();
    return;
  }
  for (KeptEnding& ending : messages_.add({text.data(), static_cast<std::size_t>(size)})) {
    if (ending.rank.index() >= members_.size()) continue;
    auto& known = members_[ending.rank.index()].ending;
    if (!known) known = std::move(ending.ending);
  }
}

bool AttachedWorkers::send(std::size_t rank, const nlohmann::json& message) {
  try {
    send_message(members_[rank].control.get(), message);
    return true;
  } catch (const SystemError&) {
    return false;
  }
}

std::vector<std::size_t> AttachedWorkers::poll(Nanoseconds time) {
  std::vector<int> fds;
  for (const Member& member : members_) fds.push_back(member.gone ? -1 : member.control.get());
  return wait_for(fds, time);
}

std::optional<nlohmann::json> AttachedWorkers::receive(std::size_t rank) {
  auto message = receive_message(members_[rank].control.get());
  if (!message) members_[rank].gone = true;
  return message;
}

WorkerEnding AttachedWorkers::ending(std::size_t rank) {
  Member& member = members_[rank];
  member.gone = true;
  const Deadline deadline(clock_, kLastWords);
  while (!member.ending && errors_ && !deadline.passed()) {
    static_cast<void>(wait_for({}, deadline.left()));
  }
  if (member.ending) return {.text = *member.ending};
  const std::string said = messages_.summary();
  return {.text = fmt::format("ended with mpirun{}{}", said.empty() ? "" : "; it said: ", said),
          .with_others = true};
}

void AttachedWorkers::stop() {
  for (const Member& member : members_) {
    if (member.control) ::shutdown(member.control.get(), SHUT_WR);
  }
}

}  // namespace gradwire::harness
