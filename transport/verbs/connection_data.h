#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/fields.h"
#include "core/plan.h"
#include "transport/verbs/flow_control.h"
#include "transport/verbs/queue_pair.h"

/// Data that ranks exchange before they connect.
namespace gradwire::transport::verbs {

/// Memory that a peer may write to.
struct RemoteMemory {
  std::uint64_t address = 0;
  std::uint32_t key = 0;

  static constexpr auto kFields =
      row(field("address", &RemoteMemory::address), field("key", &RemoteMemory::key));
};

/// One end of a channel, as its peer needs it.
struct ChannelOffer {
  std::size_t lane = 0;
  Peer to;  ///< receiver of the offer: `via` is the port of the rank that offers
  QueuePairAddress data;
  QueuePairAddress grants;
  RemoteMemory gradient;
  RemoteMemory staging;           ///< zeros when no receive of the channel adds
  std::size_t slot_elements = 0;  ///< elements of a slot of the staging ring

  static constexpr auto kFields =
      fields(field("lane", &ChannelOffer::lane), field("to", &ChannelOffer::to),
             field("data", &ChannelOffer::data), field("grants", &ChannelOffer::grants),
             field("gradient", &ChannelOffer::gradient), field("staging", &ChannelOffer::staging),
             field("slot_elements", &ChannelOffer::slot_elements));
};

/// Everything that a rank offers.
struct RankOffer {
  FlowLimits limits;
  std::vector<ChannelOffer> channels;

  static constexpr auto kFields =
      fields(field("limits", &RankOffer::limits), field("channels", &RankOffer::channels));
};

}  // namespace gradwire::transport::verbs
