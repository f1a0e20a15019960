#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/fabric.h"
#include "simulator/lanes.h"

namespace gradwire::simulator {

/// Which links the messages of a collective's channels cross. Finding a route takes as long as a
/// message's other events together, so those of channels that carry many messages are kept.
class Routes {
 public:
  /// The fabric must outlive it.
  explicit Routes(const Fabric& fabric) : fabric_(&fabric) {}

  /// The route of what a channel sends, of the lanes that every call must name. Valid until the next
  /// call.
  [[nodiscard]] std::span<const LinkUse> of(const Lanes& lanes, std::uint32_t channel);
  /// The route of what the end that receives on `channel` sends back to its sender.
  [[nodiscard]] std::vector<LinkUse> back(const Lanes& lanes, const Channel& channel) const {
    return fabric_->route(lanes.actor(channel), lanes.peer(channel));
  }

 private:
  struct Kept {
    std::uint32_t first = 0;  ///< in uses_
    std::uint32_t count = 0;  ///< 0: not yet
  };

  const Fabric* fabric_;
  std::vector<Kept> kept_;  ///< by channel; empty before the first
  std::vector<LinkUse> uses_;
  std::vector<LinkUse> last_;  ///< the last one that was not kept
};

}  // namespace gradwire::simulator
