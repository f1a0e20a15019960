#include "harness/session/mpirun_workers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <poll.h>

#include "core/error.h"
#include "harness/control.h"
#include "harness/interrupt.h"
#include "harness/worker/mpi/relay.h"

namespace gradwire::harness {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kTick = 100ms;  // how late an interrupt may be noticed
/// mpirun takes what is written at once, or it is of no use.
constexpr Nanoseconds kWriting = 10s;
/// For workers to say how they ended, for all to end in good order, and for mpirun to end all.
constexpr Nanoseconds kLastWords = 500ms;
constexpr Nanoseconds kOrderlyEnd = 3s;
constexpr Nanoseconds kHurriedEnd = 4s;

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  checked(::pipe2(ends, O_CLOEXEC), "pipe");
  return {.read = FileDescriptor(ends[0]), .write = FileDescriptor(ends[1])};
}

void make_nonblocking(const FileDescriptor& fd) {
  checked(::fcntl(fd.get(), F_SETFL, O_NONBLOCK), "fcntl");
}

/// What can be read now; nothing at the end.
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

MpirunWorkers::MpirunWorkers(MpirunOptions options, const Clock& clock, Nanoseconds patience)
    : options_(std::move(options)),
      clock_(clock),
      folder_("gw"),
      messages_(options_.hosts),
      members_(options_.hosts.size()) {
  start();
  await_ready(patience);
}

void MpirunWorkers::start() {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  std::vector<std::string> environment = options_.environment;
  environment.push_back("TMPDIR=" + folder_.path().string());
  process_.emplace(
      testbed::ChildProcess::start({.arguments = mpirun_command(options_),
                                    .environment = std::move(environment),
                                    .namespace_fd = options_.namespace_fd,
                                    .input = input.read.get(),
                                    .output = output.write.get(),
                                    .errors = errors.write.get(),
                                    .keeps_capabilities = options_.keeps_capabilities}));
  input_ = std::move(input.write);
  output_ = std::move(output.read);
  errors_ = std::move(errors.read);
  for (const FileDescriptor* end : {&input_, &output_, &errors_}) make_nonblocking(*end);
}

void MpirunWorkers::await_ready(Nanoseconds patience) {
  const Deadline deadline(clock_, patience);
  while (!ready_) {
    take(kTick);
    throw_if_interrupted();
    if (ready_) return;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].ending && !over_) {
        throw FabricError(FabricFailure::refused, {.rank = Rank(i)},
                          fmt::format("rank {} {} while starting; mpirun said: {}", i,
                                      *members_[i].ending, messages_.summary()));
      }
    }
    if (over_) throw FabricError(FabricFailure::refused, {}, end_of_all());
    if (deadline.passed()) {
      throw FabricError(FabricFailure::stalled, {},
                        fmt::format("mpirun has not started all workers within {}; it said: {}",
                                    format_duration(patience), messages_.summary()));
    }
  }
}

MpirunWorkers::~MpirunWorkers() {
  try {
    const bool failed = std::ranges::any_of(members_, &Member::ended) || !ready_ || !input_;
    if (!failed && write(std::string(Relay::kStop) + "\n")) {
      const Deadline orderly(clock_, kOrderlyEnd);
      while (!over_ && !orderly.passed()) take(orderly.left());
    }
    input_.reset();
    if (!over_) process_->kill(SIGTERM);
    const Deadline hurried(clock_, kHurriedEnd);
    while (!over_ && !hurried.passed()) take(hurried.left());
    static_cast<void>(process_->wait(Deadline(clock_, kLastWords)));
  } catch (const std::exception&) {
    // The process is killed below, and its daemons go with it.
  }
}

void MpirunWorkers::take(Nanoseconds time) {
  std::array<pollfd, 2> polled{
      {{.fd = output_.get(), .events = POLLIN}, {.fd = errors_.get(), .events = POLLIN}}};
  if (::poll(polled.data(), polled.size(), milliseconds(time)) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  // Errors first: who ended by himself is known before all have.
  if (errors_ && polled[1].revents != 0) take_errors();
  if (output_ && polled[0].revents != 0) take_output();
  if (!output_ && !errors_ && !over_) take_end();
}

void MpirunWorkers::take_errors() {
  const auto text = read_some(errors_);
  if (!text) errors_.reset();
  note(messages_.add(text.value_or("")));
}

void MpirunWorkers::note(std::vector<KeptEnding> endings) {
  for (KeptEnding& ending : endings) {
    if (ending.rank.index() >= members_.size()) continue;
    Member& member = members_[ending.rank.index()];
    member.ended = true;
    if (!member.ending) member.ending = std::move(ending.ending);
  }
}

void MpirunWorkers::take_output() {
  const auto text = read_some(output_);
  if (!text) {
    output_.reset();
    return;
  }
  read_ += *text;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = read_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    take_line(std::string_view(read_).substr(begin, end - begin));
  }
  read_.erase(0, begin);
}

void MpirunWorkers::take_line(std::string_view line) {
  if (line == Relay::kReady) {
    ready_ = true;
    return;
  }
  if (!line.starts_with(Relay::kMark)) {
    note(messages_.add(std::string(line) + "\n"));
    return;
  }
  std::size_t rank = members_.size();
  const auto [rest, error] = std::from_chars(line.data() + 1, line.data() + line.size(), rank);
  const auto begin = static_cast<std::size_t>(rest - line.data()) + 1;
  if (error != std::errc() || rank >= members_.size() || begin >= line.size()) {
    throw InternalError(fmt::format("a line from rank 0 names a rank: {}", line.substr(0, 80)));
  }
  const std::string_view text = line.substr(begin);
  Member& member = members_[rank];
  if (text == Relay::kEnded) {
    member.ended = true;
    if (!member.ending) member.ending = "exited with 0";
  } else {
    member.messages.emplace_back(text);
  }
}

void MpirunWorkers::take_end() {
  over_ = true;
  for (Member& member : members_) member.ended = true;
}

bool MpirunWorkers::write(std::string_view text) {
  const Deadline deadline(clock_, kWriting);
  while (!text.empty()) {
    const ssize_t size = ::write(input_.get(), text.data(), text.size());
    if (size > 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
      continue;
    }
    if (errno == EPIPE) return false;
    if (errno != EAGAIN && errno != EINTR) throw SystemError("write to mpirun", errno);
    if (deadline.passed()) throw SystemError("write to mpirun", ETIMEDOUT);
    pollfd polled{.fd = input_.get(), .events = POLLOUT, .revents = 0};
    ::poll(&polled, 1, milliseconds(kTick));
  }
  return true;
}

bool MpirunWorkers::send(std::size_t rank, const nlohmann::json& message) {
  if (!input_ || members_[rank].ended) return false;
  return write(fmt::format("{} {}\n", rank, message.dump()));
}

std::vector<std::size_t> MpirunWorkers::poll(Nanoseconds time) {
  const auto ready = [this] {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Member& member = members_[i];
      if (!member.messages.empty() || (member.ended && !member.told)) ranks.push_back(i);
    }
    return ranks;
  };
  std::vector<std::size_t> ranks = ready();
  take(ranks.empty() ? time : Nanoseconds::zero());
  return ready();
}

std::optional<nlohmann::json> MpirunWorkers::receive(std::size_t rank) {
  Member& member = members_[rank];
  if (!member.messages.empty()) {
    const std::string text = std::move(member.messages.front());
    member.messages.pop_front();
    return parse_message(text);
  }
  if (member.ended) member.told = true;
  return std::nullopt;
}

WorkerEnding MpirunWorkers::ending(std::size_t rank) {
  Member& member = members_[rank];
  member.told = true;
  if (!member.ending && !over_) take(kLastWords);
  if (member.ending) return {.text = *member.ending};
  return {.text = end_of_all(), .with_others = true};
}

std::string MpirunWorkers::end_of_all() {
  const auto ending = process_->wait(Deadline(clock_, kLastWords));
  const std::string how = ending ? to_string(*ending) : "closed its output";
  const std::string said = messages_.summary();
  return fmt::format("mpirun {}{}{}", how, said.empty() ? "" : "; it said: ", said);
}

void MpirunWorkers::stop() {
  input_.reset();
}

}  // namespace gradwire::harness
