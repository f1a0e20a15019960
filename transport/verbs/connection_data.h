#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "transport/verbs/flow_control.h"
#include "transport/verbs/queue_pair.h"

/// Data that ranks exchange before they connect.
namespace gradwire::transport::verbs {

/// Memory that a peer may write to.
struct RemoteMemory {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
};

/// One end of a channel, as its peer needs it.
struct ChannelOffer {
  std::size_t lane = 0;
  Peer to;  ///< receiver of the offer: `via` is the port of the rank that offers
  QueuePairAddress data;
  QueuePairAddress grants;
  RemoteMemory gradient;
  RemoteMemory staging;           ///< zeros when no receive of the channel adds
  std::size_t slot_elements = 0;  ///< of the staging ring
};

/// Everything that a rank offers.
struct RankOffer {
  FlowLimits limits;
  std::vector<ChannelOffer> channels;
};

/// Lines of numbers, the first for the rank and one for each channel.
[[nodiscard]] std::string encode(const RankOffer& offer);
/// Throws InternalError when the text is not of this version's encode().
[[nodiscard]] RankOffer decode_offer(const std::string& text);

}  // namespace gradwire::transport::verbs
