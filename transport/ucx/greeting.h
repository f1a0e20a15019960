#pragma once

#include <cstddef>

#include "core/id.h"
#include "core/plan.h"
#include "transport/authentication.h"

namespace gradwire::transport::ucx {

/// One direction of a channel, with what both ranks said of themselves over the rendezvous.
struct Greeter {
  std::size_t lane = 0;
  Rank from;
  Peer to;              ///< `via` is the greeter's port
  Nonce of_sender{};    ///< of the greeter's card
  Nonce of_receiver{};  ///< of the card of who is greeted
};

/// The other direction of the same channel.
[[nodiscard]] Greeter answering(const Greeter& greeter);

/// The first message of that direction. Only who has the run's key can make it, and what was
/// recorded is wrong under other nonces.
[[nodiscard]] Mac greeting(const RunKey& key, const Greeter& greeter);

}  // namespace gradwire::transport::ucx
