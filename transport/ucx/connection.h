#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/clock.h"
#include "core/plan.h"
#include "transport/ucx/context.h"
#include "transport/ucx/request.h"

namespace gradwire::transport::ucx {

/// A channel's connection to the worker of its peer: messages with numbers, a greeting before and a
/// farewell after them. UCX knows where it lies.
///
/// A message is addressed by its tag: kind 2 bits, sender's rank 24, sender's port 8, number 30
/// (which wraps). The receiving worker stands for the rest: rank, lane and port of the receiver.
class Connection {
 public:
  /// From `self` to `peer`, whose worker said `address`. The worker and the clock must outlive it.
  /// Begins to connect, greets, and listens for farewell; progress does the rest. Throws
  /// FabricError(refused) at `place`.
  Connection(Worker& worker, const std::string& address, Rank self, const Peer& peer,
             const FabricPlace& place);
  /// Gives up what is under way: no message of it is left when this returns, unless UCX takes more
  /// than a second. Progresses the worker.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::span<const float> what, std::uint64_t number, Request& request);
  void receive(std::span<float> where, std::uint64_t number, Request& request);
  /// Makes a receive end, if nothing was sent to it yet.
  void cancel(Request& request) { request.cancel(worker_.get()); }

  /// Whether both ends have heard each other.
  [[nodiscard]] bool greeted() const;
  /// Whether the peer has said farewell, or has gone without.
  [[nodiscard]] bool gone() const;
  /// Why it is gone.
  [[nodiscard]] std::string reason() const;

  /// Says farewell. left() once that, and all that was sent before, is on its way.
  void leave();
  [[nodiscard]] bool left() const { return farewell_out_.done() && flushed_.done(); }
  /// Breaks the connection without waiting for anything. closed() once it is.
  void close();
  [[nodiscard]] bool closed() const { return closing_ && closed_.done() && farewell_in_.done(); }

 private:
  enum class Kind : std::uint64_t { data = 0, greeting = 1, farewell = 2 };
  [[nodiscard]] static ucp_tag_t tag(Kind kind, Rank from, Port via, std::uint64_t number);
  static void on_error(void* connection, ucp_ep_h endpoint, ucs_status_t status) noexcept;

  Worker& worker_;
  Rank self_;
  Peer peer_;
  ucp_ep_h endpoint_ = nullptr;
  ucs_status_t broken_ = UCS_OK;
  bool closing_ = false;
  std::array<std::byte, 1> word_{};  ///< what a greeting and a farewell carry
  std::array<std::byte, 2> heard_{};
  Request greeting_out_;
  Request greeting_in_;
  Request farewell_out_;
  Request farewell_in_;
  Request flushed_;
  Request closed_;
};

}  // namespace gradwire::transport::ucx
