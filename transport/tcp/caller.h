#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "transport/handshake.h"
#include "transport/port_binding.h"
#include "transport/tcp/channel.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::tcp {

/// Caller of a rank's peers: connects its channels to the peers' listeners, proves the run's key
/// there and asks for a proof of it. A call that is dropped before the peer has answered is made
/// again after a pause, as a peer that strangers crowd drops some. Never blocks.
class Caller {
 public:
  struct Options {
    Rank self;
    RunKey key{};
    std::span<const PortBinding> ports;  ///< by Port; must outlive it
    const Clock& clock;                  ///< must outlive it
  };

  explicit Caller(const Options& options) : options_(options) {}

  /// Adds a call, which begins with the next work().
  void call(const ChannelName& channel, const Listening& to);

  /// Appends the descriptors to poll.
  void watch(std::vector<pollfd>& polled) const;
  /// Handles the events of `polled`, which is what the last watch() appended, with poll's answers.
  /// Throws FabricError(refused) with the channel's place when nobody listens, when the peer cannot
  /// prove the key, and when it has the key and does not take the channel; SystemError when a
  /// socket cannot be had.
  void work(std::span<const pollfd> polled);
  /// The time at which work() has something to do even without events; max when there is no such
  /// time.
  [[nodiscard]] TimePoint next_time() const;

  /// The channels that were connected since the last call.
  [[nodiscard]] std::vector<std::pair<ChannelName, FileDescriptor>> take_connected();
  /// Whether every call has been taken.
  [[nodiscard]] bool is_done() const { return calls_.empty(); }
  /// The reason why a call has not been taken so far: "the peer has not answered". Requires that
  /// there is such a call.
  [[nodiscard]] std::string obstacle(const ChannelName& channel) const;

 private:
  enum class State : std::uint8_t { resting, connecting, greeted, proven };
  struct Call {
    ChannelName channel;
    Listening to;
    State state = State::resting;
    TimePoint next{};            ///< end of a pause, or of the time to connect
    unsigned attempts = 0;       ///< connection attempts that began
    unsigned times_dropped = 0;  ///< times that the peer closed a connection that stood
    FileDescriptor connection = {};
    Opening opening = {};
    std::string heard = {};  ///< the challenge, then the verdict
  };

  /// Advances a call; true when it has been taken.
  [[nodiscard]] bool advance(Call& call, bool has_news);
  void begin(Call& call);
  void greet(Call& call);
  void prove(Call& call);
  [[nodiscard]] bool hear_verdict(Call& call);
  /// Reads on until `wanted` bytes are there; true then.
  [[nodiscard]] bool hear(Call& call, std::size_t wanted);
  /// Sends little on a connection that has sent nothing unheard, so that it fits into the buffer.
  void say(Call& call, std::string_view bytes);
  void rest(Call& call);

  Options options_;
  std::vector<Call> calls_;
  std::vector<std::pair<ChannelName, FileDescriptor>> connected_;
};

/// FabricError(refused) about a channel of `self`.
[[nodiscard]] FabricError refused(Rank self, const ChannelName& channel, const std::string& detail);

}  // namespace gradwire::transport::tcp
