#include "simulator/stuck.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/core.h>

namespace gradwire::simulator {
namespace {

constexpr std::size_t kMostNamed = 4;

std::string duration(double seconds) {
  return format_duration(std::chrono::duration_cast<Nanoseconds>(Seconds(seconds)));
}

/// A receive that does not end.
struct Wait {
  bool is_moving = false;  ///< whether its message has begun to move
  std::size_t step = 0;
  std::size_t actor = 0;
  std::size_t lane = 0;
  Peer peer;

  [[nodiscard]] FabricPlace place() const {
    return {.rank = Rank(actor), .peer = peer.rank, .port = peer.via, .lane = lane, .step = step};
  }
};

/// Adds the first receive of a channel that is not done.
void add_wait(const Lanes& lanes, const Channel& channel, std::vector<Wait>& waits) {
  const LaneState& lane = lanes.lane(channel.lane);
  if (!lane.has_begun()) return;
  const auto receives = lane.program.queue(channel.number, Operation::Kind::receive);
  const bool is_moving = channel.received > 0 && lanes.channels()[channel.remote].is_sending;
  const std::size_t next = channel.received - (is_moving ? 1 : 0);
  if (next >= receives.size()) return;
  waits.push_back({.is_moving = is_moving,
                   .step = lane.program.operations()[receives[next]].step,
                   .actor = lane.actor,
                   .lane = lane.number,
                   .peer = lanes.peer(channel)});
}

std::string outages_text(double now, std::span<const Outage> outages) {
  std::string text;
  for (const Outage& outage : outages) {
    if (outage.from > now || outage.until <= now) continue;
    text += fmt::format("{} {} (since {})", text.empty() ? "; down:" : ",", outage.what,
                        duration(outage.from));
  }
  return text;
}

}  // namespace

FabricError stuck(const Lanes& lanes, double now, std::span<const Outage> outages) {
  std::vector<Wait> waits;
  for (const Channel& channel : lanes.channels()) add_wait(lanes, channel, waits);
  std::ranges::sort(waits, {}, [](const Wait& wait) {
    return std::tuple(!wait.is_moving, wait.step, wait.actor, wait.lane, wait.peer);
  });
  std::string text = fmt::format("at {} nothing can happen any more", duration(now));
  text += outages_text(now, outages);
  for (std::size_t i = 1; i < std::min(waits.size(), kMostNamed); ++i) {
    text += fmt::format("{} rank {} waits for rank {}", i == 1 ? "; also" : ",", waits[i].actor,
                        waits[i].peer.rank.index());
  }
  if (waits.size() > kMostNamed) {
    text += fmt::format(", and {} more waits", waits.size() - kMostNamed);
  }
  return {FabricFailure::stalled, waits.empty() ? FabricPlace{} : waits.front().place(), text};
}

}  // namespace gradwire::simulator
