#include "harness/workers/session/mpirun_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>

#include "core/error.h"
#include "core/pipe.h"
#include "harness/workers/preflight.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

/// mpirun takes what is written at once, or it is of no use.
constexpr Nanoseconds kWriting = 10s;
constexpr Nanoseconds kProcessTick = 100ms;
/// Time for a keeper to say how its rank ended, and for mpirun to end all and itself.
constexpr Nanoseconds kLastOutput = 1s;
constexpr Nanoseconds kHurriedEnd = 4s;

/// Text that can be read now; nothing at the end.
std::optional<std::string> read_some(const FileDescriptor& fd) {
  std::string text;
  std::array<char, 64 * 1024> some;
  for (;;) {
    const ssize_t size = ::read(fd.get(), some.data(), some.size());
    if (size > 0) {
      text.append(some.data(), static_cast<std::size_t>(size));
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno != EAGAIN) throw SystemError("read from mpirun", errno);
    if (size == 0 && text.empty()) return std::nullopt;
    return text;
  }
}

int milliseconds(Nanoseconds time) {
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

}  // namespace

MpirunProcess::MpirunProcess(const testbed::ScratchFolder& folder, MpirunOptions options,
                             const Clock& clock)
    : clock_(clock), messages_(options.hosts), endings_(options.hosts.size()) {
  options.environment.push_back("TMPDIR=" + folder.path().string());
  if (!options.agent_program.empty()) {
    options.agent = linked_word(options.agent_program, folder.path()) + " " + options.agent;
  }
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  try {
    process_.emplace(testbed::ChildProcess::start({.arguments = mpirun_command(options),
                                                   .environment = std::move(options.environment),
                                                   .namespace_fd = options.namespace_fd,
                                                   .input = input.read.get(),
                                                   .output = output.write.get(),
                                                   .errors = errors.write.get(),
                                                   .keeps_capabilities = options.keeps_capabilities,
                                                   .with_offspring = true}));
  } catch (const SystemError& error) {
    // EACCES: there may be a folder in PATH that this user may not enter.
    if (error.error_number() != ENOENT && error.error_number() != EACCES) throw;
    throw Preflight(fmt::format("{} is not here: install Open MPI 4.1 (on Debian: openmpi-bin)",
                                options.launcher));
  }
  input_ = std::move(input.write);
  output_ = std::move(output.read);
  errors_ = std::move(errors.read);
  for (const FileDescriptor* end : {&input_, &output_, &errors_}) {
    checked(::fcntl(end->get(), F_SETFL, O_NONBLOCK), "fcntl");
  }
}

MpirunProcess::~MpirunProcess() {
  try {
    close_input();
    if (!over_) process_->kill(SIGTERM);
    await_end(kHurriedEnd);
    // What it has not ended itself, such as those that are still on their way to a host, its
    // warden ends.
    if (process_->wait(Deadline(clock_, 2 * kLastOutput))) return;
    process_->kill(SIGTERM);
    static_cast<void>(process_->wait(Deadline(clock_, 2 * kLastOutput)));
  } catch (const std::exception&) {
    // The process is killed below, and its daemons go with it.
  }
}

std::vector<std::size_t> MpirunProcess::wait_for(std::span<const int> fds, Nanoseconds time) {
  std::vector<pollfd> polled;
  for (const int fd : fds) polled.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  for (const int fd : {errors_.get(), output_.get(), over_ ? -1 : process_->ended_fd()}) {
    polled.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
  if (::poll(polled.data(), polled.size(), milliseconds(time)) < 0) {
    if (errno != EINTR) throw SystemError("poll", errno);
    return {};
  }
  // Errors first: who ended by himself is known before all have.
  const std::size_t own = fds.size();
  if (polled[own].revents != 0) take_errors();
  if (polled[own + 1].revents != 0) take_output();
  if (polled[own + 2].revents != 0) take_end();
  over_ = over_ || (!output_ && !errors_);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < own; ++i) {
    if (polled[i].revents != 0) ready.push_back(i);
  }
  return ready;
}

void MpirunProcess::await_end(Nanoseconds time) {
  const Deadline deadline(clock_, time);
  while (!over_ && !deadline.passed()) wait_for({}, deadline.left());
}

void MpirunProcess::take_errors() {
  const auto text = read_some(errors_);
  if (!text) errors_.reset();
  note(messages_.add(text.value_or("")));
}

void MpirunProcess::take_output() {
  const auto text = read_some(output_);
  if (!text) {
    output_.reset();
    return;
  }
  read_ += *text;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = read_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = read_.substr(begin, end - begin);
    if (line.starts_with(kMark)) {
      lines_.push_back(std::move(line));
    } else {
      note(messages_.add(line + "\n"));
    }
  }
  read_.erase(0, begin);
}

void MpirunProcess::note(std::vector<KeptEnding> endings) {
  for (KeptEnding& ending : endings) {
    if (ending.rank.index() >= endings_.size()) continue;
    auto& known = endings_[ending.rank.index()];
    if (!known) known = {.text = std::move(ending.ending), .host_lost = ending.host_lost};
  }
}

void MpirunProcess::take_end() {
  if (errors_) take_errors();
  if (output_) take_output();
  over_ = true;
}

std::optional<std::string> MpirunProcess::take_line() {
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

bool MpirunProcess::write(std::string_view text) {
  const Deadline deadline(clock_, kWriting);
  while (!text.empty()) {
    if (!input_) return false;
    const ssize_t size = ::write(input_.get(), text.data(), text.size());
    if (size > 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
      continue;
    }
    if (errno == EPIPE) return false;
    if (errno != EAGAIN && errno != EINTR) throw SystemError("write to mpirun", errno);
    if (deadline.passed()) throw SystemError("write to mpirun", ETIMEDOUT);
    pollfd polled{.fd = input_.get(), .events = POLLOUT, .revents = 0};
    ::poll(&polled, 1, milliseconds(kProcessTick));
  }
  return true;
}

const std::optional<WorkerEnding>& MpirunProcess::await_ending(std::size_t rank) {
  const Deadline deadline(clock_, kLastOutput);
  while (!ending(rank) && !over_ && !deadline.passed()) wait_for({}, deadline.left());
  return ending(rank);
}

std::string MpirunProcess::end_of_all() {
  const auto ending = process_->wait(Deadline(clock_, kLastOutput));
  const std::string how = ending ? to_string(*ending) : "closed its output";
  const std::string said = messages_.summary();
  return fmt::format("mpirun {}{}{}", how, said.empty() ? "" : "; it said: ", said);
}

void MpirunProcess::require_start(const Deadline& deadline) {
  for (std::size_t i = 0; i < endings_.size(); ++i) {
    if (!endings_[i]) continue;
    throw FabricError(FabricFailure::refused, {.rank = Rank(i)},
                      fmt::format("rank {} {} while starting; mpirun said: {}", i,
                                  endings_[i]->text, messages_.summary()));
  }
  if (over_) throw FabricError(FabricFailure::refused, {}, end_of_all());
  if (!deadline.passed()) return;
  const std::string said = messages_.summary();
  throw FabricError(FabricFailure::stalled, {},
                    fmt::format("mpirun has not started all workers in time; it said: {}",
                                said.empty() ? "nothing" : said));
}

}  // namespace gradwire::workers
