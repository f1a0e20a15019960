#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/fabric.h"
#include "simulator/lanes.h"

namespace gradwire::simulator {

/// The links that the messages of a collective's channels cross. Finding a route takes as long as a
/// message's other events together, so the routes of channels that carry many messages are kept.
class Routes {
 public:
  /// Routes on a fabric, which must outlive it.
  explicit Routes(const Fabric& fabric) : fabric_(&fabric) {}

  /// The route of a channel's sends. All calls must name the same lanes. Valid until the next call.
  [[nodiscard]] std::span<const LinkUse> of(const Lanes& lanes, std::uint32_t channel);
  /// The route back to the sender from the end that receives on `channel`.
  [[nodiscard]] std::vector<LinkUse> back(const Lanes& lanes, const Channel& channel) const {
    return fabric_->route(lanes.actor(channel), lanes.peer(channel));
  }

 private:
  struct Kept {
    std::uint32_t first = 0;  ///< index in uses_
    std::uint32_t count = 0;  ///< 0: not known yet
  };

  const Fabric* fabric_;
  std::vector<Kept> kept_;  ///< by channel; empty before the first
  std::vector<LinkUse> uses_;
  std::vector<LinkUse> last_;  ///< the last one that was not kept
};

}  // namespace gradwire::simulator
