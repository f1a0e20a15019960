#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "core/units.h"
#include "transport/acceptor.h"
#include "transport/authentication.h"
#include "transport/cancellation.h"
#include "transport/store/assembly.h"
#include "transport/store/message.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::store {

/// The place at which the ranks of a job meet, over TCP: a thread that gathers and hands out what
/// members contribute, and tells all of them of the first that is gone, silent or has failed. Members
/// keep their connections as long as they take part.
///
/// Strangers find the port, too: what they get is told in transport/acceptor.h. A caller with another
/// secret is told so.
class Server final : private Acceptor {
 public:
  struct Options {
    tcp::Listening at;      ///< IPv4; port 0: one that the kernel chooses
    std::size_t ranks = 0;  ///< ranks of the job, at least one
    RunKey key{};           ///< made of the job's secret
  };

  /// Listens, and serves from then on. Throws InputError for an address that is not IPv4, and
  /// SystemError, as when the address is none of this host's or the port is taken.
  explicit Server(const Options& options);
  /// Drops all connections.
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The address and port at which it listens.
  [[nodiscard]] tcp::Listening listening() const { return listening_; }
  /// Blocks until every member that came has gone again, or until so much time has passed.
  void await_departures(Nanoseconds most);

 private:
  /// A member's.
  struct Connection {
    FileDescriptor socket;
    Rank rank;
    TimePoint heard;  ///< when it came, or sent something last
    MessageReader reader{kMostContribution + kEnvelope};
    std::string unsent = {};
    bool is_over = false;  ///< whether it is dropped once all is sent
  };
  using Connections = std::vector<std::unique_ptr<Connection>>;

  Server(const Options& options, FileDescriptor listener);

  [[nodiscard]] Verdict judge(const Greeting& greeting, Port port) override;
  void admit(const Greeting& greeting, FileDescriptor connection) override;
  [[nodiscard]] bool is_open(Port /*port*/) const override { return true; }

  void serve();
  /// Waits for news, and goes on with them.
  void work();
  /// Notes how long the store itself did not run: in that time it heard nobody.
  void excuse_silence();
  void receive(Connection& connection);
  void handle(Connection& connection, Message message);
  /// Passes a member's letter on.
  void deliver(Rank from, const Letter& letter);
  void send(Connection& connection, std::string_view bytes);
  void flush(Connection& connection);
  /// Sends beats when it is time, and tells who has sent none.
  void beat();
  void drop_finished();
  /// The member that has sent nothing for longest, and at least so long: its process stands still.
  [[nodiscard]] std::optional<Rank> silent_for(Nanoseconds time) const;
  void broadcast(const std::optional<Message>& message);

  Options options_;
  tcp::Listening listening_;
  Nonce job_;
  Assembly assembly_;
  Connections connections_;
  TimePoint turned_;  ///< when it last looked for news
  TimePoint next_beat_;
  Cancellation stop_;
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::size_t members_ = 0;  ///< members that are connected; guarded
  std::thread thread_;
};

}  // namespace gradwire::transport::store
