#include "transport/store/server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::transport::store {
namespace {

/// Longest delay until a member's silence, or the end of a stranger's time, is found.
constexpr Nanoseconds kTick = std::chrono::milliseconds(100);
/// Silence that makes a member the culprit of what another reports.
constexpr Nanoseconds kSuspicious = 5 * kBetweenBeats;

const SteadyClock kStoreClock;

bool again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

std::vector<FileDescriptor> only(FileDescriptor listener) {
  std::vector<FileDescriptor> all;
  all.push_back(std::move(listener));
  return all;
}

}  // namespace

Server::Server(const Options& options) : Server(options, tcp::listen_at(options.at)) {}

Server::Server(const Options& options, FileDescriptor listener)
    : Acceptor(only(std::move(listener)), {.purpose = Purpose::store,
                                           .self = Rank(0),
                                           .key = options.key,
                                           .answers_other_runs = true,
                                           .clock = kStoreClock}),
      options_(options),
      listening_(tcp::address_of(Acceptor::listener(Port(0)))),
      job_(random_nonce()),
      assembly_(options.ranks),
      turned_(kStoreClock.now()),
      next_beat_(turned_),
      thread_(&Server::serve, this) {}

Server::~Server() {
  stop_.request();
  thread_.join();
}

void Server::await_departures(Nanoseconds most) {
  std::unique_lock lock(mutex_);
  emptied_.wait_for(lock, most, [this] { return members_ == 0; });
}

void Server::serve() {
  while (!stop_.requested()) {
    try {
      work();
    } catch (const std::exception&) {
      // Without memory or descriptors nobody can be served: members see their connections end.
      connections_.clear();
      close();
      break;
    }
  }
}

void Server::work() {
  std::vector<pollfd> polled{{.fd = stop_.fd(), .events = POLLIN, .revents = 0}};
  for (const auto& connection : connections_) {
    const short out = connection->unsent.empty() ? 0 : POLLOUT;
    polled.push_back(
        {.fd = connection->socket.get(), .events = static_cast<short>(POLLIN | out), .revents = 0});
  }
  const std::size_t members_end = polled.size();
  Acceptor::watch(polled);
  const auto tick = std::chrono::duration_cast<std::chrono::milliseconds>(kTick).count();
  if (::poll(polled.data(), polled.size(), static_cast<int>(tick)) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  excuse_silence();
  for (std::size_t i = 1; i < members_end; ++i) {
    Connection& connection = *connections_[i - 1];
    if ((polled[i].revents & (POLLIN | POLLERR | POLLHUP)) != 0) receive(connection);
    if ((polled[i].revents & POLLOUT) != 0) flush(connection);
  }
  Acceptor::work(std::span(polled).subspan(members_end));
  beat();
  drop_finished();
}

void Server::excuse_silence() {
  const TimePoint now = kStoreClock.now();
  const Nanoseconds stood_still = now - std::exchange(turned_, now) - kTick;
  if (stood_still <= Nanoseconds::zero()) return;
  for (const auto& connection : connections_) connection->heard += stood_still;
}

Verdict Server::judge(const Greeting& greeting, Port /*port*/) {
  Verdict verdict{.judgement = assembly_.judge(greeting.from, greeting.ranks),
                  .ranks = static_cast<std::uint32_t>(options_.ranks)};
  if (verdict.judgement == Judgement::welcome) verdict.job = job_;
  return verdict;
}

void Server::admit(const Greeting& greeting, FileDescriptor connection) {
  assembly_.join(greeting.from);
  connections_.push_back(std::make_unique<Connection>(Connection{
      .socket = std::move(connection), .rank = greeting.from, .heard = kStoreClock.now()}));
  if (assembly_.failure()) send(*connections_.back(), encode(message_of(*assembly_.failure())));
  const std::scoped_lock lock(mutex_);
  ++members_;
}

void Server::receive(Connection& connection) {
  std::array<char, 65536> bytes{};
  const ssize_t got = ::recv(connection.socket.get(), bytes.data(), bytes.size(), 0);
  if (got < 0 && again(errno)) return;
  if (got <= 0) {
    connection.is_over = true;
    connection.unsent.clear();
    return;
  }
  if (connection.is_over) return;  // it was told why
  connection.heard = kStoreClock.now();
  if (!connection.reader.take({bytes.data(), static_cast<std::size_t>(got)})) return;
  while (auto message = connection.reader.next()) {
    if (!connection.is_over) handle(connection, *std::move(message));
  }
  if (connection.reader.is_broken()) connection.is_over = true;
}

void Server::handle(Connection& connection, Message message) {
  const Rank rank = connection.rank;
  if (message.kind == Kind::contribution) {
    broadcast(assembly_.contribute(rank, std::move(message.body)));
  } else if (message.kind == Kind::leave) {
    broadcast(assembly_.leave(rank));
  } else if (const auto letter = body_of<Letter>(message)) {
    deliver(rank, *letter);
  } else if (auto failure = body_of<Failure>(message)) {
    if (const auto still = silent_for(kSuspicious)) {
      *failure = {.culprit = still, .text = "it says nothing"};
    } else if (accept_error() != 0 && !assembly_.is_complete()) {
      failure->text += fmt::format("; the store cannot take connections: {}",
                                   std::generic_category().message(accept_error()));
    }
    broadcast(assembly_.fail(rank, *failure));
  } else if (message.kind != Kind::beat) {
    connection.is_over = true;
  }
}

void Server::deliver(Rank from, const Letter& letter) {
  if (const auto failure = assembly_.post(from, letter)) {
    broadcast(failure);
    return;
  }
  const std::string bytes =
      encode(message_of(Letter{.other = from, .line = letter.line, .text = letter.text}));
  for (const auto& connection : connections_) {
    if (connection->rank == letter.other && !connection->is_over) send(*connection, bytes);
  }
}

std::optional<Rank> Server::silent_for(Nanoseconds time) const {
  std::optional<Rank> silent;
  TimePoint before = kStoreClock.now() - time;
  for (const auto& connection : connections_) {
    if (connection->heard >= before || assembly_.has_left(connection->rank)) continue;
    silent = connection->rank;
    before = connection->heard;
  }
  return silent;
}

void Server::beat() {
  if (const auto silent = silent_for(kSilence); silent && !assembly_.failure()) {
    broadcast(assembly_.lose(
        *silent,
        fmt::format("its process, or its host, is gone or stands still: nothing came for {}",
                    format_duration(kSilence))));
  }
  if (kStoreClock.now() < next_beat_) return;
  next_beat_ = kStoreClock.now() + kBetweenBeats;
  for (const auto& connection : connections_) {
    if (connection->unsent.empty()) send(*connection, encode(Message{.kind = Kind::beat}));
    const bool is_silent = next_beat_ - connection->heard > kSilence;
    if (!is_silent || !assembly_.has_left(connection->rank)) continue;
    connection->is_over = true;  // nobody waits for its process to end
    connection->unsent.clear();
  }
}

void Server::broadcast(const std::optional<Message>& message) {
  if (!message) return;
  const std::string bytes = encode(*message);
  // Rank 0 comes last: its process is the store's, and may end once it has heard.
  for (const bool is_own : {false, true}) {
    for (const auto& connection : connections_) {
      if (connection->is_over) continue;
      if ((connection->rank == Rank(0)) == is_own) send(*connection, bytes);
    }
  }
}

void Server::send(Connection& connection, std::string_view bytes) {
  connection.unsent += bytes;
  flush(connection);
}

void Server::flush(Connection& connection) {
  const ssize_t sent = ::send(connection.socket.get(), connection.unsent.data(),
                              connection.unsent.size(), MSG_NOSIGNAL);
  if (sent >= 0) {
    connection.unsent.erase(0, static_cast<std::size_t>(sent));
  } else if (!again(errno)) {
    // Whoever has closed may have said before that it leaves: the connection is over when all is read.
    connection.unsent.clear();
  }
}

void Server::drop_finished() {
  std::vector<Rank> lost;
  std::erase_if(connections_, [&](const auto& connection) {
    if (!connection->is_over || !connection->unsent.empty()) return false;
    lost.push_back(connection->rank);
    return true;
  });
  for (const Rank rank : lost) broadcast(assembly_.lose(rank, "its process, or its host, is gone"));
  if (lost.empty()) return;
  const std::scoped_lock lock(mutex_);
  members_ -= lost.size();
  emptied_.notify_all();
}

}  // namespace gradwire::transport::store
