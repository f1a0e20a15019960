#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/elements.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/loopback/pipe.h"
#include "transport/posted_queue.h"

namespace gradwire::transport::loopback {

/// Endpoint over pipes in memory: ranks are threads of one process.
class LoopbackEndpoint final : public Endpoint {
 public:
  struct Channel {
    std::shared_ptr<Pipe> out;
    std::shared_ptr<Pipe> in;
    PostedQueue sends;
    PostedQueue receives;
    std::size_t reported = 0;  ///< elements of `out` that were reported as sent
  };

  /// Serves the channels of one lane. `gradient`, the cancellation and the clock must outlive it.
  LoopbackEndpoint(Elements gradient, std::vector<Channel> channels,
                   std::shared_ptr<const Bell> bell, const Cancellation& cancellation,
                   const Clock& clock);
  /// Closes its pipes, so that the peers see peer_closed.
  ~LoopbackEndpoint() override;

  void post_send(std::size_t channel, const SendRequest& request) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;

 private:
  void receive_some(Channel& channel);
  void report_sent(Channel& channel);
  /// Notes progress on all channels.
  void look();
  /// A channel whose peer left before everything was sent or received.
  [[nodiscard]] std::optional<std::size_t> find_broken() const;
  void sleep(const Deadline& deadline) const;

  Elements gradient_;
  std::vector<Channel> channels_;
  std::shared_ptr<const Bell> bell_;
  const Cancellation& cancellation_;
  const Clock& clock_;
  std::vector<Progress> progress_;
};

}  // namespace gradwire::transport::loopback
