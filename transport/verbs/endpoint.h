#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/device.h"
#include "transport/verbs/flow_control.h"
#include "transport/verbs/queue_pair.h"
#include "transport/verbs/waiter.h"

namespace gradwire::transport::verbs {

/// The ring of slots where segments to be added arrive.
class Staging {
 public:
  /// `slots` of `slot` elements each; none of them may be 0.
  Staging(const std::shared_ptr<Device>& device, std::size_t slots, std::size_t slot);

  [[nodiscard]] std::span<const float> at(std::size_t slot) const {
    return std::span(memory_).subspan(slot * slot_, slot_);
  }
  [[nodiscard]] RemoteMemory remote() const {
    return {.address = region_.address(), .key = region_.remote_key()};
  }
  [[nodiscard]] std::size_t slot_elements() const { return slot_; }

 private:
  std::size_t slot_;
  std::vector<float> memory_;
  MemoryRegion region_;
};

/// An Endpoint over two reliable connections per channel, one of data, which writes straight into
/// the peer's memory, and one of grants, which must not wait for data.
///
///     rank A, gradient                        rank B, gradient
///     [....xxxxxx....]  ── replace: write ──▶ [....xxxxxx....]
///          │                                          ▲ add()
///          └────────────── add: write ──────▶ [s0|s1|s2|..] staging, a ring by channel
///          ◀───── "the next 2 segments: add" ── grants
///
/// Every message carries 32 immediate bits (message.h), which take one receive at the other end. B
/// grants segments as their receives are posted and slots are free (flow_control.h); A does not
/// know which kind they are before. A segment is sent when the device says that B has acknowledged
/// it, and received when its bits have come. Whoever leaves says so with a last message, because a
/// reliable connection has no end of its own; one that was killed is found out by what is sent to
/// it, and so a lane that only waits writes nothing now and then.
///
/// The queues hold all that can be under way, so that neither a receive is missing when a message
/// comes nor a completion queue overflows.
class VerbsEndpoint final : public Endpoint {
 public:
  /// Why a channel is of no more use.
  struct Loss {
    std::string why;
    bool left = false;  ///< the peer said that it leaves: what it has acknowledged has arrived
  };

  struct Channel {
    std::shared_ptr<const MemoryRegion> gradient;  ///< ours, as registered for this channel's port
    std::optional<Staging> staging;
    RemoteMemory peer_gradient;
    RemoteMemory peer_staging;
    std::size_t peer_slot_elements = 0;
    SendFlow sends;
    ReceiveFlow receives;
    QueuePair data;  ///< last: what it writes to and reads from outlives it
    QueuePair grants;
    std::optional<Loss> loss = {};
    bool waits_for_work = false;  ///< is in the list of channels to be looked at
    bool probing = false;         ///< a probe is under way
    bool leaving = false;         ///< our last message is
    std::size_t sent_entry = 0;   ///< where this channel's latest progress was noted
    std::size_t received_entry = 0;
  };

  struct Options {
    bool poll = false;
    Nanoseconds probe_interval = std::chrono::seconds(1);
  };

  /// `channels` are connected, and their queue pairs are numbered as they are; `queues` are the
  /// completion queues of them all. The gradient, the cancellation and the clock must outlive it.
  VerbsEndpoint(std::span<float> gradient, std::vector<Channel> channels,
                std::vector<std::shared_ptr<CompletionQueue>> queues,
                const Cancellation& cancellation, const Clock& clock, const Options& options);
  /// Tells the peers, and waits a second at most for them to know.
  ~VerbsEndpoint() override;

  void post_send(std::size_t channel, Extent what, std::size_t operation) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;

 private:
  void want_work(std::size_t channel);
  /// Gives grants and writes to the channels that may have some.
  void work();
  void work_on(Channel& channel);
  void send_segment(Channel& channel, const Departure& departure);

  /// Takes what has completed; how many there were.
  std::size_t drain();
  void complete(const ibv_wc& completion);
  void take_message(std::size_t channel, const ibv_wc& completion);
  void take_segment(Channel& channel, std::uint32_t number, std::size_t bytes);
  void report(std::size_t& entry, const Segment& segment);

  /// Does something to a channel, which is lost when the device refuses.
  void attempt(std::size_t channel, const auto& action);
  void lose(std::size_t channel, Loss loss);
  /// Throws ChannelError for the first channel lost that has something to do.
  void check_channels() const;
  void take_alarms();
  /// Loses the channels that the device has reported as failed.
  void lose_failed(const Device& device);
  /// Finds out about dead peers that only we wait for.
  void probe_if_quiet();
  void say_goodbye();

  std::span<float> gradient_;
  std::vector<Channel> channels_;
  const Cancellation& cancellation_;
  const Clock& clock_;
  Options options_;
  Waiter waiter_;
  TimePoint last_moved_;
  std::vector<std::size_t> to_work_on_;
  std::vector<std::size_t> lost_;  ///< channels, in the order in which they were
  std::vector<Progress> progress_;
};

}  // namespace gradwire::transport::verbs
