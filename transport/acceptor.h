#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <poll.h>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "transport/handshake.h"

namespace gradwire::transport {

/// The doors of a process: takes connections at its listeners, and lets in those that prove the key
/// and that its subclass welcomes. Never blocks.
///
/// Strangers find the doors, too. Each may send kGreetingBytes and a Mac, of which nothing is kept
/// longer than the connection, and gets kPatience; while many wait, kPatienceInACrowd. When
/// kMostPending wait, the oldest goes for whoever comes next. So no number of strangers keeps a
/// caller waiting, which has said its Greeting when it is taken and needs only a round trip; one that
/// is dropped in the crush calls again. Without descriptors nothing is accepted for a while.
class Acceptor {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::seconds(2);
  static constexpr Nanoseconds kPatienceInACrowd = std::chrono::milliseconds(250);
  /// Connections that have not proven anything: so many are a crowd, and so many are kept at most.
  static constexpr std::size_t kCrowd = 64;
  static constexpr std::size_t kMostPending = 256;

  struct Options {
    Purpose purpose = Purpose::tcp;
    Rank self;
    RunKey key{};
    bool answers_other_runs = false;  ///< whether a caller with another key is told so, or dropped
    const Clock& clock;               ///< must outlive it
  };

  /// Takes the listeners over, by port; they must be non-blocking.
  Acceptor(std::vector<FileDescriptor> listeners, const Options& options);
  virtual ~Acceptor() = default;
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  /// Appends what it waits for. A listener that it takes nothing from is not among it.
  void watch(std::vector<pollfd>& polled) const;
  /// Goes on with what has come. `polled` is what the last watch() appended, with poll's answers.
  void work(std::span<const pollfd> polled);

  /// Connections that were dropped because they did not prove anything.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// The errno of the last accept that failed though somebody had connected; 0 when none has.
  [[nodiscard]] int accept_error() const { return accept_error_; }

 protected:
  /// The listening socket of a port.
  [[nodiscard]] int listener(Port port) const { return listeners_[port.index()].get(); }
  /// Takes nothing any more, and drops who has proven nothing.
  void close() {
    listeners_.clear();
    pending_.clear();
  }

 private:
  /// A connection that has not proven anything yet.
  struct Pending {
    FileDescriptor connection;
    Port port;
    TimePoint since;
    std::string said;                  ///< the Greeting, then the proof
    std::optional<Greeting> greeting;  ///< once it is complete
    Opening opening;
  };

  /// The verdict on a caller that has the key.
  [[nodiscard]] virtual Verdict judge(const Greeting& greeting, Port port) = 0;
  /// Takes the connection of a caller that was told that it is welcome.
  virtual void admit(const Greeting& greeting, FileDescriptor connection) = 0;
  /// Whether anybody is expected at a port.
  [[nodiscard]] virtual bool is_open(Port port) const = 0;

  /// Reads on; true when the connection is let in or dropped.
  [[nodiscard]] bool settle(Pending& pending);
  [[nodiscard]] bool challenge(Pending& pending);
  void decide(Pending& pending);
  /// Drops who has waited too long.
  void expire();
  /// Accepts some of what has connected to a port.
  void take(Port port);
  /// Makes room for what cannot be accepted for want of descriptors; false when nobody can go.
  [[nodiscard]] bool drop_oldest();

  std::vector<FileDescriptor> listeners_;
  Options options_;
  std::deque<Pending> pending_;  ///< oldest first
  TimePoint rests_until_{};      ///< no accepting before, for want of descriptors
  std::size_t dropped_ = 0;
  int accept_error_ = 0;
};

}  // namespace gradwire::transport
