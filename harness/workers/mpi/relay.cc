#include "harness/workers/mpi/relay.h"

#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"
#include "harness/workers/control.h"
#include "harness/workers/mpi/backoff.h"
#include "harness/workers/mpi/relay_lines.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using namespace relay_lines;

constexpr Rank kRelayRoot{0};
/// Messages between relays begin with what they are.
constexpr char kMessage = 'm';
constexpr char kEnd = 'e';
constexpr char kStopInOrder = 's';
constexpr char kStopAtOnce = 'q';
/// Nothing tells a sleeper of MPI's messages. Idle relays must not take from the workers' cores.
constexpr Backoff::Limits kIdle{.yields = 0us, .least = 100us, .most = 5ms};
constexpr Nanoseconds kLastWords = 2s;

bool is_readable(int fd) {
  pollfd polled{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&polled, 1, 0) > 0;
}

std::string frame(char kind, const std::string& text = "") {
  return kind + text;
}

}  // namespace

Relay::Relay(MpiChannel& channel, int worker, std::optional<Lines> lines, const Clock& clock)
    : channel_(channel),
      worker_(worker),
      lines_(std::move(lines)),
      clock_(clock),
      others_left_(channel.size() - 1) {}

bool Relay::run() {
  if (is_root()) write_line(kReady);
  Backoff backoff(kIdle, clock_);
  while (!done()) {
    bool moved = take_from_worker();
    moved = take_from_harness() || moved;
    moved = take_from_ranks() || moved;
    moved = !channel_.all_sent() || moved;
    if (moved) backoff.reset();
    pause(backoff.next());
  }
  return in_order_;
}

bool Relay::done() {
  if (!stopped_ || !channel_.all_sent()) return stopped_ && stopped_->passed();
  if (!worker_ended_) return stopped_->passed();
  return !is_root() || others_left_ == 0 || stopped_->passed();
}

/// Wakes early for what can wake it.
void Relay::pause(Nanoseconds time) const {
  std::array<pollfd, 2> wakers{{{.fd = worker_ended_ ? -1 : worker_, .events = POLLIN},
                                {.fd = lines_ ? lines_->in.get() : -1, .events = POLLIN}}};
  if (stopped_) wakers[1].fd = -1;
  const timespec wait{.tv_sec = 0, .tv_nsec = time.count()};
  if (::ppoll(wakers.data(), wakers.size(), &wait, nullptr) < 0 && errno != EINTR) {
    throw SystemError("ppoll", errno);
  }
}

bool Relay::take_from_worker() {
  bool moved = false;
  while (!worker_ended_ && is_readable(worker_)) {
    moved = true;
    const std::optional<std::string> text = receive_text(worker_);
    worker_ended_ = !text;
    if (is_root()) {
      tell_harness(kRelayRoot, text.value_or(kEnded));
    } else {
      channel_.send(kRelayRoot, text ? frame(kMessage, *text) : frame(kEnd));
    }
  }
  return moved;
}

bool Relay::take_from_harness() {
  if (!lines_ || stopped_ || !is_readable(lines_->in.get())) return false;
  std::array<char, 64 * 1024> some;
  const ssize_t size = ::read(lines_->in.get(), some.data(), some.size());
  if (size < 0) {
    if (errno == EINTR || errno == EAGAIN) return true;
    throw SystemError("read from the harness", errno);
  }
  if (size == 0) {
    stop(false);
    return true;
  }
  read_.append(some.data(), static_cast<std::size_t>(size));
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = read_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    take_line(read_.substr(begin, end - begin));
  }
  read_.erase(0, begin);
  return true;
}

void Relay::take_line(const std::string& line) {
  if (line == kStop) {
    stop(true);
    return;
  }
  const RankText order = parse_order(line, channel_.size());
  if (order.rank == kRelayRoot) {
    hand_to_worker(order.text);
  } else {
    channel_.send(order.rank, frame(kMessage, order.text));
  }
}

bool Relay::take_from_ranks() {
  bool moved = false;
  while (const auto message = channel_.receive()) {
    moved = true;
    take_frame(*message);
  }
  return moved;
}

void Relay::take_frame(const MpiChannel::Message& message) {
  ensure(!message.bytes.empty(), "a frame begins with what it is");
  switch (message.bytes.front()) {
    case kMessage:
      if (is_root()) {
        tell_harness(message.from, message.bytes.substr(1));
      } else {
        hand_to_worker(message.bytes.substr(1));
      }
      return;
    case kEnd:
      ensure(is_root() && others_left_ > 0, "every other rank ends once, and tells rank 0");
      --others_left_;
      tell_harness(message.from, kEnded);
      return;
    case kStopInOrder:
      stop(true);
      return;
    case kStopAtOnce:
      stop(false);
      return;
    default:
      throw_bug("a frame begins with one of the four marks");
  }
}

void Relay::hand_to_worker(const std::string& text) {
  if (worker_ended_) return;
  try {
    send_text(worker_, text);
  } catch (const SystemError&) {
    // It has ended, and its last words are still to be read.
  }
}

void Relay::tell_harness(Rank about, const std::string& text) {
  write_line(answer(about, text));
}

void Relay::write_line(std::string line) {
  line += '\n';
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t size = ::write(lines_->out.get(), line.data() + written, line.size() - written);
    if (size < 0 && errno != EINTR) throw SystemError("write to the harness", errno);
    if (size > 0) written += static_cast<std::size_t>(size);
  }
}

void Relay::stop(bool in_order) {
  if (stopped_) return;
  stopped_.emplace(clock_, kLastWords);
  in_order_ = in_order;
  if (is_root()) {
    for (std::size_t i = 1; i < channel_.size(); ++i) {
      channel_.send(Rank(i), frame(in_order ? kStopInOrder : kStopAtOnce));
    }
  }
  ::shutdown(worker_, SHUT_WR);
}

}  // namespace gradwire::workers
