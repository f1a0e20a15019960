#pragma once

#include <compare>
#include <cstddef>

#include "core/plan.h"
#include "transport/handshake.h"

namespace gradwire::transport::tcp {

/// A channel as one of its ends knows it.
struct ChannelName {
  std::size_t lane = 0;
  Peer peer;
  friend auto operator<=>(const ChannelName&, const ChannelName&) = default;
};

/// The channel that a Greeting asks for, as the rank that accepts knows it: the caller's ports are the
/// other way round.
[[nodiscard]] inline ChannelName channel_of(const Greeting& greeting) {
  return {.lane = greeting.lane,
          .peer = {.rank = greeting.from, .via = greeting.at, .at = greeting.via}};
}

}  // namespace gradwire::transport::tcp
