#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <poll.h>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/units.h"
#include "transport/authentication.h"
#include "transport/cancellation.h"
#include "transport/store/assembly.h"
#include "transport/store/message.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::store {

/// The place at which the ranks of a job meet, over TCP: a thread that gathers and hands out what
/// members contribute, and tells all of them of the first that is gone or has failed. Members keep
/// their connections as long as they take part.
///
/// Strangers find the port, too. One that has not proven the secret within five seconds is dropped,
/// has said kMostStrangerBytes at most, and is one of 256: when as many wait, the oldest goes for
/// whoever comes next.
class Server {
 public:
  struct Options {
    tcp::Listening at;      ///< IPv4; port 0: one that the kernel chooses
    std::size_t ranks = 0;  ///< of the job, at least one
    RunKey key{};           ///< made of the job's secret
  };

  /// Listens, and serves from then on. Throws InputError for an address that is not IPv4, and
  /// SystemError, as when the address is none of this host's or the port is taken.
  explicit Server(const Options& options);
  /// Drops all connections.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Where it listens.
  [[nodiscard]] tcp::Listening listening() const { return tcp::address_of(listener_.get()); }
  /// Blocks until every member that came has gone again, or until so much time has passed.
  void await_departures(Nanoseconds most);

 private:
  struct Connection {
    FileDescriptor socket;
    Meeting meeting;
    std::optional<Rank> rank;  ///< once it is a member
    MessageReader reader{kMostStrangerBytes};
    std::string unsent;
    TimePoint heard;       ///< when it came, or said something last
    bool is_over = false;  ///< to be dropped once all is sent
  };
  using Connections = std::vector<std::unique_ptr<Connection>>;

  void serve();
  /// Waits for news, and goes on with them.
  void work();
  void accept_all();
  void receive(Connection& connection);
  void handle(Connection& connection, const Message& message);
  void judge(Connection& connection, const Message& message);
  void handle_member(Connection& connection, Message message);
  /// Passes a member's letter on.
  void deliver(Rank from, const Letter& letter);
  void send(Connection& connection, std::string_view bytes);
  void flush(Connection& connection);
  void drop_finished();
  /// The member that has said nothing for longest, if it should have: its process stands still.
  [[nodiscard]] std::optional<Rank> silent() const;
  void broadcast(const std::optional<Message>& message);

  Options options_;
  FileDescriptor listener_;
  Nonce job_;
  SteadyClock clock_;
  Assembly assembly_;
  Connections connections_;
  Cancellation stop_;
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::size_t members_ = 0;  ///< that are connected; guarded
  std::thread thread_;
};

}  // namespace gradwire::transport::store
