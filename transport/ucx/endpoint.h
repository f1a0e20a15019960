#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <poll.h>

#include "core/clock.h"
#include "transport/cancellation.h"
#include "transport/device/lane_memory.h"
#include "transport/endpoint.h"
#include "transport/ucx/connection.h"
#include "transport/ucx/context.h"
#include "transport/ucx/stream.h"

namespace gradwire::transport::ucx {

/// Endpoint over UCX: a worker per port that the lane uses, a connection per channel. Operations
/// are cut into segments, of which each direction of a channel hands a few at a time to UCX.
/// Replacing receives arrive in the gradient. Adding ones arrive in staging memory and are added
/// while the next segments are under way: by the host, or beside it by the device in whose memory
/// all of this lies (lane_memory.h). While a device adds, a lane does not sleep.
///
/// Waiting progresses the workers and yields the processor whenever there is nothing to do; after
/// some such rounds it sleeps until a worker has an event. A lane that only polls starves the
/// others where there are more lanes than cores.
class UcxEndpoint final : public Endpoint {
 public:
  struct Channel {
    std::unique_ptr<Connection> connection;
    ChannelUse use;
    std::size_t largest_add = 0;  ///< elements of the largest adding receive; 0: nothing is added
  };
  /// Options of a UCX endpoint. The cancellation and the clock must outlive the endpoint.
  struct Options {
    Cutting cutting;
    bool poll = false;        ///< whether it never sleeps
    bool registered = false;  ///< whether staging memory is registered with the contexts' devices
    const Cancellation& cancellation;
    const Clock& clock;
    FabricPlace place;  ///< place that errors name
  };

  /// Serves the channels of one lane, whose connections belong to these workers. Throws
  /// FabricError(refused) when memory cannot be registered.
  UcxEndpoint(std::unique_ptr<device::LaneMemory> memory,
              std::vector<std::unique_ptr<Worker>> workers, std::vector<Channel> channels,
              const Options& options);
  /// Sends farewells and breaks the connections. Blocks until sent data has left, but not for much
  /// longer than a second, whatever the peers do.
  ~UcxEndpoint() override;

  void post_send(std::size_t channel, const SendRequest& request) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  /// Waits as Endpoint::wait. Does not allocate; UCX does, when it needs more requests than ever
  /// before.
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;

 private:
  struct State {
    std::unique_ptr<Stream> sends;
    std::unique_ptr<Stream> receives;
    std::unique_ptr<Connection> connection;
  };

  /// Adds a channel, whose adding receives arrive in `staging`.
  void add_channel(Channel channel, const Cutting& cutting, std::span<std::byte> staging);
  /// Hands segments to UCX as far as window and credit allow.
  void start(Stream& stream);
  /// Takes a credit that has come, or sends one that is due.
  void move_credit(Stream& stream);
  /// Retires segments that have ended, and starts those that can start then.
  void settle();
  /// Takes segments that UCX has finished, begins to add them, and retires those that are in place.
  void retire_ended(Stream& stream);
  void report(const Segment& segment);
  /// Progresses all workers. Returns whether any had something to do.
  [[nodiscard]] bool progress();
  /// Throws ChannelError when a peer is gone from which or to which something is still due.
  void check_open();
  /// Arms the workers' events. False when there is something to do first.
  [[nodiscard]] bool arm();
  /// Blocks until an armed worker has an event, the deadline passes, or cancellation is requested.
  void sleep(const Deadline& deadline);
  /// Progresses the workers until every channel fulfils the condition, or a second has passed.
  void progress_until(bool (*fulfils)(State&));

  std::unique_ptr<device::LaneMemory> memory_;
  ucs_memory_type_t kind_;                                ///< kind of memory_
  std::size_t adding_ = 0;                                ///< segments taken and not retired
  std::vector<std::shared_ptr<const Context>> contexts_;  ///< go after what they registered
  std::vector<Registration> registrations_;
  std::vector<Stream*> with_news_;
  std::vector<State> channels_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< go first: UCX knows what is above
  bool poll_;
  const Cancellation& cancellation_;
  const Clock& clock_;
  std::vector<pollfd> polled_;  ///< by worker, then the cancellation
  std::vector<Progress> progress_;
};

}  // namespace gradwire::transport::ucx
