#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "transport/cancellation.h"
#include "transport/device/lane_memory.h"
#include "transport/endpoint.h"
#include "transport/verbs/connection_data.h"
#include "transport/verbs/flow_control.h"
#include "transport/verbs/queue_pair.h"
#include "transport/verbs/staging.h"
#include "transport/verbs/waiter.h"

namespace gradwire::transport::verbs {

/// Endpoint over two reliable connections per channel: one for data, which is written straight into
/// the peer's memory, and one for grants, which must not wait for data.
///
///     rank A, gradient                        rank B, gradient
///     [....xxxxxx....]  ── replace: write ──▶ [....xxxxxx....]
///          │                                          ▲ add()
///          └────────────── add: write ──────▶ [s0|s1|s2|..] staging, a ring by channel
///          ◀───── "the next 2 segments: add" ── grants
///
/// Every message carries 32 immediate bits (message.h), which take one receive at the other end. B
/// grants segments as their receives are posted and slots are free (flow_control.h); A does not
/// know before which kind they are. A segment is sent when the device says that B has acknowledged
/// it, and received when its bits have come. A rank that leaves says so with a last message,
/// because closing a reliable connection tells the peer nothing. A peer that was killed is noticed
/// only when something that was sent to it is not acknowledged, so a lane that only waits sends an
/// empty write now and then.
///
/// Gradient and staging may lie in the memory of a device, which adds beside the host
/// (lane_memory.h): a slot is granted again, and a segment received, when it is done. A lane does
/// not sleep meanwhile.
///
/// The queues hold all that can be under way, so that neither a receive is missing when a message
/// comes nor a completion queue overflows.
class VerbsEndpoint final : public Endpoint {
 public:
  /// Reason why a channel is of no more use.
  struct Loss {
    std::string why;
    bool left = false;  ///< whether the peer said that it leaves: all it acknowledged has arrived
  };

  struct Channel {
    std::shared_ptr<const MemoryRegion> gradient;  ///< memory registered for this channel's port
    std::optional<Staging> staging;
    RemoteMemory peer_gradient;
    RemoteMemory peer_staging;
    std::size_t peer_slot_elements = 0;
    SendFlow sends;
    ReceiveFlow receives;
    std::size_t first_addition = 0;  ///< number of slot 0's addition; slot i's is i higher
    std::vector<Arrival> unsettled;  ///< a ring of a window: segments that have arrived
    std::size_t arrived = 0;         ///< segments that arrived, of all time, as `settled`
    std::size_t settled = 0;
    QueuePair data;  ///< last, as its memory must outlive it
    QueuePair grants;
    std::optional<Loss> loss = {};
    bool waits_for_work = false;  ///< whether it is in the list of channels to be looked at
    bool probing = false;         ///< whether a probe is under way
    bool leaving = false;         ///< whether our last message is under way
    std::size_t sent_entry = 0;   ///< index in progress_ of this channel's latest progress
    std::size_t received_entry = 0;
  };

  /// Options of a verbs endpoint. The cancellation and the clock must outlive the endpoint.
  struct Options {
    bool poll = false;  ///< whether it yields instead of sleeping
    Nanoseconds probe_interval = std::chrono::seconds(1);  ///< probe interval of ConnectOptions
    const Cancellation& cancellation;
    const Clock& clock;
  };

  /// Serves `channels`, which are connected; the queue pairs of channel i have the number i.
  /// `queues` are the completion queues of all of them.
  VerbsEndpoint(std::unique_ptr<device::LaneMemory> memory, std::vector<Channel> channels,
                std::vector<std::shared_ptr<CompletionQueue>> queues, const Options& options);
  /// Tells the peers that it leaves. Blocks until they know, for a second at most.
  ~VerbsEndpoint() override;

  void post_send(std::size_t channel, const SendRequest& request) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;

 private:
  /// Enters a channel in the list of those that may have grants or segments to send.
  void want_work(std::size_t channel);
  /// Works on the channels of that list.
  void work();
  /// Sends the channel's grants and segments that may leave now.
  void work_on(Channel& channel);
  void send_segment(Channel& channel, const Departure& departure);

  /// Takes completions and returns their number.
  std::size_t drain();
  void complete(const ibv_wc& completion);
  void take_message(std::size_t channel, const ibv_wc& completion);
  void take_segment(Channel& channel, std::uint32_t number, std::size_t bytes);
  /// Reports the channel's segments that have arrived and are in place, or added. Returns their
  /// number.
  std::size_t settle(Channel& channel);
  /// Settles all channels, where some wait for additions. Returns the number of segments.
  std::size_t settle_added();
  /// Records progress for the caller of wait(). `entry` is the index of this channel and
  /// direction's last record.
  void report(std::size_t& entry, const Segment& segment);

  /// Calls an action on a channel, which is lost when the device refuses.
  void attempt(std::size_t channel, const auto& action) {
    try {
      action(channels_[channel]);
    } catch (const SystemError& error) {
      lose(channel, {.why = error.what()});
    }
  }
  /// Marks a channel as lost. The first reason stays.
  void lose(std::size_t channel, Loss loss);
  /// Throws ChannelError for the first lost channel that has something to do.
  void check_channels() const;
  /// Marks the channels of devices that have raised their alarm as lost.
  void take_alarms();
  /// Marks the channels as lost that the device has reported as failed.
  void lose_failed(const Device& device);
  /// Sends empty writes to peers that this end only waits for, to find out whether they are alive.
  void probe_if_quiet();
  /// Tells the peers that this end leaves, and waits a while until they know.
  void say_goodbye();

  std::unique_ptr<device::LaneMemory> memory_;  ///< goes after what is registered of it
  std::vector<Channel> channels_;
  std::size_t unsettled_ = 0;  ///< segments of all channels
  Options options_;
  Waiter waiter_;
  TimePoint last_moved_;
  std::vector<std::size_t> to_work_on_;
  std::vector<std::size_t> lost_;  ///< in the order in which they were lost
  std::vector<Progress> progress_;
};

}  // namespace gradwire::transport::verbs
