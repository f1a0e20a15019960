#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/clock.h"
#include "core/plan.h"
#include "transport/handshake.h"
#include "transport/ucx/context.h"
#include "transport/ucx/request.h"

namespace gradwire::transport::ucx {

/// Connection of a channel to the worker of its peer: numbered messages, a greeting before and a
/// farewell after them. UCX keeps its address, so it must not move.
///
/// The greeting proves that the peer has the run's key (transport/handshake.h). UCX itself asks
/// nobody: a stranger who reaches its sockets can still write to the process's memory.
///
/// A message is addressed by its tag: kind 2 bits, sender's rank 24, sender's port 8, number 30
/// (which wraps). The receiving worker stands for the rest: rank, lane and port of the receiver.
class Connection {
 public:
  /// Begins to connect `self.from` to `self.to`, whose worker said `address` and whose Card has the
  /// nonce, greets, and listens for farewell; progress does the rest. It must outlive the worker,
  /// whose end is also that of the connection. Throws FabricError(refused) at the channel's place.
  Connection(Worker& worker, const std::string& address, const Greeting& self,
             const Nonce& nonce_of_peer, const RunKey& key);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Starts sending message `number`; the request ends when UCX is done with it. The bytes, in
  /// memory of this kind, must stay until then.
  void send(std::span<const std::byte> what, ucs_memory_type_t kind, std::uint64_t number,
            Request& request);
  /// Starts receiving message `number` into memory of this kind; the request ends when it has come.
  void receive(std::span<std::byte> where, ucs_memory_type_t kind, std::uint64_t number,
               Request& request);

  /// Starts sending credit `number`, a message without elements.
  void send_credit(std::uint64_t number, Request& request);
  /// Starts receiving credit `number`.
  void receive_credit(std::uint64_t number, Request& request);

  /// Whether both ends have heard each other, and the peer's greeting is right.
  [[nodiscard]] bool greeted() const;
  /// Whether the peer has said farewell, has gone without one, or is not of this run.
  [[nodiscard]] bool gone() const;
  /// The reason why the peer is gone. Requires gone().
  [[nodiscard]] std::string reason() const;

  /// Sends the farewell.
  void leave();
  /// Whether the farewell, and everything sent before it, has left.
  [[nodiscard]] bool left() const { return farewell_out_.done() && flushed_.done(); }
  /// Gives up everything under way. The worker must end next, without progress.
  void abandon();

 private:
  enum class Kind : std::uint64_t { data = 0, greeting = 1, farewell = 2, credit = 3 };
  [[nodiscard]] static ucp_tag_t tag(Kind kind, Rank from, Port via, std::uint64_t number);
  static void on_error(void* connection, ucp_ep_h endpoint, ucs_status_t status) noexcept;

  [[nodiscard]] bool is_impostor() const;

  Worker& worker_;
  Rank self_;
  Peer peer_;
  Mac greeting_;
  Mac expected_;
  Mac heard_greeting_{};
  ucp_ep_h endpoint_ = nullptr;
  ucs_status_t broken_ = UCS_OK;
  std::array<std::byte, 1> word_{};   ///< content of messages that say nothing
  std::array<std::byte, 2> heard_{};  ///< content of messages that arrive: farewell, credit
  Request greeting_out_;
  Request greeting_in_;
  Request farewell_out_;
  Request farewell_in_;
  Request flushed_;
};

}  // namespace gradwire::transport::ucx
