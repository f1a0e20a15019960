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

/// The doors of a rank: takes connections at its listeners, and lets in those that prove the run's
/// key and are expected. Never blocks.
///
/// Strangers find the doors, too. Each may send kHelloBytes and a Mac, of which nothing is kept
/// longer than the connection, and gets kPatience; while many wait, kPatienceInACrowd. When
/// kMostPending wait, the oldest goes for whoever comes next. So no number of strangers keeps a
/// rank waiting, which has said its Hello when it is taken and needs only a round trip; one that is
/// dropped in the crush calls again.
class Acceptor {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::seconds(2);
  static constexpr Nanoseconds kPatienceInACrowd = std::chrono::milliseconds(250);
  /// Connections that have not proven anything: so many are a crowd, and so many are kept at most.
  static constexpr std::size_t kCrowd = 64;
  static constexpr std::size_t kMostPending = 256;

  struct Options {
    Rank self;
    RunKey key{};
    std::vector<ChannelName> expected;  ///< the channels that peers connect
    const Clock& clock;                 ///< must outlive it
  };

  /// Takes the listeners over, by port; they must be non-blocking.
  Acceptor(std::vector<FileDescriptor> listeners, Options options);

  /// Appends what it waits for. A listener that it takes nothing from is not among it.
  void watch(std::vector<pollfd>& polled) const;
  /// Goes on with what has come. `polled` is what the last watch() appended, with poll's answers.
  void work(std::span<const pollfd> polled);

  /// The channels that were connected since the last call.
  [[nodiscard]] std::vector<std::pair<ChannelName, FileDescriptor>> take_admitted();
  /// Whether every expected channel has been connected.
  [[nodiscard]] bool is_done() const { return expected_.size() == admitted_.size(); }

  /// Connections that were dropped because they did not prove anything.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// The errno of the last accept that failed though somebody had connected; 0 when none has.
  [[nodiscard]] int accept_error() const { return accept_error_; }

 private:
  /// A connection that has not proven anything yet.
  struct Pending {
    FileDescriptor connection;
    Port port;
    TimePoint since;
    std::array<std::uint8_t, kHelloBytes> said{};  ///< the Hello, then the proof
    std::size_t received = 0;
    std::optional<Hello> hello;  ///< once it is complete
    Opening opening{};
  };
  static_assert(kHelloBytes >= sizeof(Mac));

  /// Reads on; true when the connection is let in or dropped.
  [[nodiscard]] bool settle(Pending& pending);
  [[nodiscard]] bool challenge(Pending& pending);
  void judge(Pending& pending);
  /// Drops who has waited too long.
  void expire();
  /// Accepts some of what has connected to a port.
  void take(Port port);
  /// Makes room for what cannot be accepted for want of descriptors; false when nobody can go.
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
