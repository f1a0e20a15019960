#include "transport/store/server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::transport::store {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kPatienceWithStrangers = 5s;
constexpr Nanoseconds kSilence = 5 * kBetweenBeats;
constexpr std::size_t kMostStrangers = 256;
constexpr int kTick = 1000;  // ms: how late a stranger's time is found to be over

bool again(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Server::Server(const Options& options)
    : options_(options),
      listener_(tcp::listen_at(options.at)),
      job_(random_nonce()),
      assembly_(options.ranks),
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
      listener_.reset();
      break;
    }
  }
}

void Server::work() {
  std::vector<pollfd> polled{{.fd = stop_.fd(), .events = POLLIN, .revents = 0},
                             {.fd = listener_.get(), .events = POLLIN, .revents = 0}};
  for (const auto& connection : connections_) {
    const short out = connection->unsent.empty() ? 0 : POLLOUT;
    polled.push_back(
        {.fd = connection->socket.get(), .events = static_cast<short>(POLLIN | out), .revents = 0});
  }
  if (::poll(polled.data(), polled.size(), kTick) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  for (std::size_t i = 2; i < polled.size(); ++i) {
    Connection& connection = *connections_[i - 2];
    if ((polled[i].revents & (POLLIN | POLLERR | POLLHUP)) != 0) receive(connection);
    if ((polled[i].revents & POLLOUT) != 0) flush(connection);
  }
  if (polled[1].revents != 0) accept_all();
  drop_finished();
}

void Server::accept_all() {
  while (true) {
    FileDescriptor socket(
        ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;  // whoever could not be taken now is still in the kernel's queue
    const auto is_stranger = [](const auto& each) { return !each->rank && !each->is_over; };
    if (std::ranges::count_if(connections_, is_stranger) >=
        static_cast<std::ptrdiff_t>(kMostStrangers)) {
      (*std::ranges::find_if(connections_, is_stranger))->is_over = true;
    }
    auto connection = std::make_unique<Connection>();
    connection->socket = std::move(socket);
    connection->meeting.greeting.nonce = random_nonce();
    connection->heard = clock_.now();
    connections_.push_back(std::move(connection));
    send(*connections_.back(), encode(encode(connections_.back()->meeting.greeting)));
  }
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
  if (connection.rank) connection.heard = clock_.now();
  if (!connection.reader.take({bytes.data(), static_cast<std::size_t>(got)})) return;
  while (const std::optional<Message> message = connection.reader.next()) {
    handle(connection, *message);
  }
  if (connection.reader.is_broken()) connection.is_over = true;
}

void Server::handle(Connection& connection, const Message& message) {
  if (connection.is_over) return;
  if (connection.rank) {
    handle_member(connection, message);
  } else {
    judge(connection, message);
  }
}

void Server::judge(Connection& connection, const Message& message) {
  Meeting& meeting = connection.meeting;
  const auto said = decode_hello(message, meeting.greeting, options_.key);
  if (!said) {
    connection.is_over = true;
    return;
  }
  meeting.hello = said->hello;
  Verdict verdict{.judgement = Judgement::secret,
                  .ranks = static_cast<std::uint32_t>(options_.ranks)};
  if (said->is_proven) verdict.judgement = assembly_.join(said->hello.rank, said->hello.ranks);
  connection.is_over = verdict.judgement != Judgement::welcome;
  if (!connection.is_over) {
    verdict.job = job_;
    connection.rank = said->hello.rank;
    connection.reader.allow(kMostContribution);
    const std::scoped_lock lock(mutex_);
    ++members_;
  }
  send(connection, encode(encode(verdict, meeting, options_.key)));
  if (connection.rank && assembly_.failure())
    send(connection, encode(encode(*assembly_.failure())));
}

void Server::handle_member(Connection& connection, Message message) {
  const Rank rank = *connection.rank;
  if (message.kind == Kind::contribution) {
    broadcast(assembly_.contribute(rank, std::move(message.body)));
  } else if (message.kind == Kind::leave) {
    broadcast(assembly_.leave(rank));
  } else if (const auto letter = decode_letter(message)) {
    deliver(rank, *letter);
  } else if (auto failure = decode_failure(message)) {
    if (const auto still = silent()) *failure = {.culprit = still, .text = "it says nothing"};
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
      encode(encode(Letter{.other = from, .line = letter.line, .text = letter.text}));
  for (const auto& connection : connections_) {
    if (connection->rank == letter.other && !connection->is_over) send(*connection, bytes);
  }
}

std::optional<Rank> Server::silent() const {
  std::optional<Rank> silent;
  TimePoint before = clock_.now() - kSilence;
  for (const auto& connection : connections_) {
    if (!connection->rank || connection->heard >= before) continue;
    silent = connection->rank;
    before = connection->heard;
  }
  return silent;
}

void Server::broadcast(const std::optional<Message>& message) {
  if (!message) return;
  const std::string bytes = encode(*message);
  // Rank 0 comes last: its process is the store's, and may end once it has heard.
  for (const bool is_own : {false, true}) {
    for (const auto& connection : connections_) {
      if (!connection->rank || connection->is_over) continue;
      if ((*connection->rank == Rank(std::size_t{0})) == is_own) send(*connection, bytes);
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
  const TimePoint now = clock_.now();
  std::erase_if(connections_, [&](const auto& connection) {
    const bool is_late = !connection->rank && now - connection->heard > kPatienceWithStrangers;
    if (!is_late && !(connection->is_over && connection->unsent.empty())) return false;
    if (connection->rank) lost.push_back(*connection->rank);
    return true;
  });
  for (const Rank rank : lost) broadcast(assembly_.lose(rank));
  if (lost.empty()) return;
  const std::scoped_lock lock(mutex_);
  members_ -= lost.size();
  emptied_.notify_all();
}

}  // namespace gradwire::transport::store
