#include "harness/emulate/command_group.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include "core/error.h"
#include "core/pipe.h"
#include "harness/workers/interrupt.h"

namespace gradwire::emulate {
namespace {

using testbed::ChildProcess;

constexpr int kTick = 100;  // milliseconds; an interrupt between two waits is seen after it

/// Writes the whole text. Blocks until all is written.
void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(to, text.data(), text.size());
    if (size > 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno == EINTR) {
      workers::throw_if_interrupted();  // whoever reads this may have stopped doing so
    } else if (errno == EAGAIN) {       // others have made it so
      pollfd polled{.fd = to, .events = POLLOUT, .revents = 0};
      ::poll(&polled, 1, kTick);
      workers::throw_if_interrupted();
    } else {
      throw SystemError(to == STDOUT_FILENO ? "write to stdout" : "write to stderr", errno);
    }
  }
}

}  // namespace

void CommandGroup::start(Rank host, ChildProcess::Options options) {
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  for (const Pipe* pipe : {&output, &errors}) {
    checked(::fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK), "fcntl");
  }
  options.output = output.write.get();
  options.errors = errors.write.get();
  options.with_offspring = true;
  const std::string prefix = prefixes_ ? fmt::format("[{}] ", host.index()) : "";
  Member member{.host = host, .process = ChildProcess::start(options), .streams = {}};
  member.streams.push_back({std::move(output.read), PrefixedLines(prefix), STDOUT_FILENO});
  member.streams.push_back({std::move(errors.read), PrefixedLines(prefix), STDERR_FILENO});
  members_.push_back(std::move(member));
}

void CommandGroup::start_shell(Rank host, ChildProcess::Options options) {
  options.input = STDIN_FILENO;
  options.with_offspring = true;
  members_.push_back(
      {.host = host, .process = ChildProcess::start(options), .streams = {}, .is_shell = true});
  failure_.leave_to_shell();
}

int CommandGroup::wait() {
  while (running() > 0) {
    heed_user();
    if (failure_.ends_all()) press();
    poll_once();
  }
  heed_user();  // the commands may have ended because of the same Ctrl-C
  return failure_.exit_code();
}

void CommandGroup::heed_user() {
  try {
    workers::heed_signals();
  } catch (const workers::Interrupted& interrupted) {
    failure_.note_interrupt(interrupted.signal());
  }
}

std::size_t CommandGroup::running() const {
  return static_cast<std::size_t>(std::ranges::count(members_, false, &Member::ended));
}

void CommandGroup::poll_once() {
  std::vector<pollfd> polled;
  for (const Member& member : members_) {
    for (const Stream& stream : member.streams) {
      polled.push_back({.fd = stream.pipe.get(), .events = POLLIN, .revents = 0});
    }
    const int ended = member.ended ? -1 : member.process.ended_fd();
    polled.push_back({.fd = ended, .events = POLLIN, .revents = 0});
  }
  if (::poll(polled.data(), polled.size(), kTick) < 0) {
    if (errno != EINTR) throw SystemError("poll", errno);
    return;
  }
  auto at = polled.begin();
  for (Member& member : members_) {
    for (Stream& stream : member.streams) {
      if ((at++)->revents != 0) take(stream);
    }
    if ((at++)->revents != 0) note_end(member);
  }
}

void CommandGroup::take(Stream& stream) const {
  std::array<char, 64 * 1024> some;
  while (stream.pipe) {
    const ssize_t size = ::read(stream.pipe.get(), some.data(), some.size());
    if (size > 0) {
      write_all(stream.to, stream.lines.add({some.data(), static_cast<std::size_t>(size)}));
      if (static_cast<std::size_t>(size) < some.size()) return;  // others have something to say
    } else if (size == 0) {
      write_all(stream.to, stream.lines.finish());
      stream.pipe.reset();
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      throw SystemError("read what a command writes", errno);
    }
  }
}

void CommandGroup::note_end(Member& member) {
  const auto ending = member.process.wait(Deadline(clock_, Nanoseconds::zero()));
  if (!ending) return;
  member.ended = true;
  // Nobody is left who could write: what a command has started ends with it.
  for (Stream& stream : member.streams) {
    take(stream);
    write_all(stream.to, stream.lines.finish());
    stream.pipe.reset();
  }
  if (member.is_shell) {
    failure_.note_shell(*ending);
    return;
  }
  const bool alone = members_.size() == 1;
  const bool decides = failure_.note(*ending);
  const bool told = !alone && (decides || (!failure_.ends_all() && exit_code_of(*ending) != 0));
  if (!told) return;
  fmt::print(stderr, "gradwire: the command on host {} {}{}\n", member.host.index(),
             to_string(*ending), decides && running() > 0 ? "; ending the others" : "");
}

void CommandGroup::press() {
  if (patience_ && !patience_->passed()) return;
  for (Member& member : members_) {
    if (!member.ended) member.process.kill(SIGTERM);
  }
  patience_.emplace(clock_, kGrace);
}

}  // namespace gradwire::emulate
