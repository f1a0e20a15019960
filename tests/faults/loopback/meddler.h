#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>

#include "core/file_descriptor.h"
#include "tests/faults/loopback/incident.h"
#include "tests/faults/loopback/scenario.h"
#include "tests/faults/loopback/stream.h"
#include "transport/cancellation.h"
#include "transport/tcp/socket.h"

namespace gradwire::faults {

/// Stands between a caller and one port of an acceptor, in a thread of its own. Forwards everything
/// in both directions, but for what the fault does to its channel.
class Meddler {
 public:
  /// Both must outlive it. Throws SystemError.
  Meddler(const StreamFault& fault, Incident& incident);
  /// Closes what it forwards.
  ~Meddler();
  Meddler(const Meddler&) = delete;
  Meddler& operator=(const Meddler&) = delete;

  /// Where to call instead of `target`. Called once.
  [[nodiscard]] transport::tcp::Listening stand_before(const transport::tcp::Listening& target);

 private:
  /// One direction of a connection.
  struct Pipe {
    int from = -1;
    int to = -1;
    std::optional<Stream> stream = {};  ///< where the fault meets this direction
    std::string onward = {};            ///< to be sent
    bool has_ended = false;             ///< nothing comes any more
    bool is_shut = false;               ///< the other side knows
  };
  struct Connection {
    FileDescriptor caller;
    FileDescriptor acceptor;
    std::string hello;  ///< the beginning of what the caller says, until its channel is known
    bool is_known = false;
    Pipe forth;
    Pipe back;
  };

  void serve();
  void accept();
  /// Moves what can be moved; false when the connection is over.
  [[nodiscard]] bool work(Connection& connection);
  void read(Connection& connection, Pipe& pipe);
  static void write(Pipe& pipe);
  /// Once the caller's Hello is there: whether the fault meets this connection.
  void learn(Connection& connection);

  const StreamFault& fault_;
  Incident& incident_;
  FileDescriptor listener_;
  transport::tcp::Listening target_;
  transport::Cancellation stop_;
  std::list<Connection> connections_;
  std::vector<char> buffer_;
  std::thread thread_;
};

}  // namespace gradwire::faults
