#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <poll.h>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "transport/tcp/handshake.h"

namespace gradwire::transport::tcp {

/// Acceptor of a rank's connections: takes them at its listeners and admits those that prove the
/// run's key and are expected. Never blocks.
///
/// Strangers find the listeners, too. Each may send kHelloBytes and a Mac, of which nothing is kept
/// longer than the connection, and gets kPatience, or kPatienceInACrowd while many wait. When
/// kMostPending wait, the oldest is dropped for the next one. So no number of strangers keeps a
/// rank waiting: it has said its Hello when it is accepted and needs only one round trip; a rank
/// that is dropped in the crush calls again.
class Acceptor {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::seconds(2);
  static constexpr Nanoseconds kPatienceInACrowd = std::chrono::milliseconds(250);
  /// Pending connections, which have not proven anything: this many are a crowd, and kMostPending
  /// are the most that are kept.
  static constexpr std::size_t kCrowd = 64;
  static constexpr std::size_t kMostPending = 256;

  struct Options {
    Rank self;
    RunKey key{};
    std::vector<ChannelName> expected;  ///< the channels that peers connect
    const Clock& clock;                 ///< must outlive it
  };

  /// Takes over the listeners, by port; they must be non-blocking.
  Acceptor(std::vector<FileDescriptor> listeners, Options options);

  /// Appends the descriptors to poll. A listener from which nothing is accepted now is not among
  /// them.
  void watch(std::vector<pollfd>& polled) const;
  /// Handles the events of `polled`, which is what the last watch() appended, with poll's answers.
  void work(std::span<const pollfd> polled);

  /// The channels that were connected since the last call.
  [[nodiscard]] std::vector<std::pair<ChannelName, FileDescriptor>> take_admitted();
  /// Whether every expected channel has been connected.
  [[nodiscard]] bool is_done() const { return expected_.size() == admitted_.size(); }

  /// Number of connections that were dropped because they did not prove anything.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// The errno of the last accept that failed although somebody had connected; 0 when none has.
  [[nodiscard]] int accept_error() const { return accept_error_; }

 private:
  /// Connection that has not proven anything yet.
  struct Pending {
    FileDescriptor connection;
    Port port;
    TimePoint since;
    std::array<std::uint8_t, kHelloBytes> said{};  ///< Hello, then the proof
    std::size_t received = 0;
    std::optional<Hello> hello;  ///< set once it is complete
    Opening opening{};
  };
  static_assert(kHelloBytes >= sizeof(Mac));

  /// Reads on; true when the connection is admitted or dropped.
  [[nodiscard]] bool settle(Pending& pending);
  [[nodiscard]] bool challenge(Pending& pending);
  void judge(Pending& pending);
  /// Drops connections that have waited too long.
  void expire();
  /// Accepts some of the connections to a port.
  void take(Port port);
  /// Drops the oldest pending connection to get its descriptors; false when there is none.
  [[nodiscard]] bool drop_oldest();
  [[nodiscard]] bool expects_at(Port port) const;

  std::vector<FileDescriptor> listeners_;
  Options options_;
  std::set<ChannelName> expected_;
  std::set<ChannelName> admitted_;
  std::vector<std::pair<ChannelName, FileDescriptor>> ready_;
  std::deque<Pending> pending_;  ///< oldest first
  TimePoint rests_until_{};      ///< no accepting before, for want of descriptors
  std::size_t dropped_ = 0;
  int accept_error_ = 0;
};

}  // namespace gradwire::transport::tcp
