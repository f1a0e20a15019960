#include "simulator/lanes.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::simulator {

Lanes::Lanes(const Fabric& fabric, std::span<const StagedPlan> plans) {
  ensure(plans.size() == fabric.actors(), "every actor has a Plan");
  for (const StagedPlan& plan : plans) {
    ensure(plan.stages.size() == plans.front().stages.size(), "stages meet");
    add_actor(plan);
  }
  connect(fabric);
}

void Lanes::add_actor(const StagedPlan& plan) {
  const auto number = static_cast<std::uint32_t>(actors.size());
  actors.push_back({.first_lane = static_cast<std::uint32_t>(lanes.size()),
                    .lanes = static_cast<std::uint32_t>(plan.plan.lanes.size())});
  for (std::size_t i = 0; i < plan.plan.lanes.size(); ++i) {
    LaneState lane{.actor = number,
                   .number = static_cast<std::uint32_t>(i),
                   .first_channel = static_cast<std::uint32_t>(channels.size())};
    for (const StepRange& steps : plan.stages) {
      lane.programs.emplace_back(plan.plan.lanes[i], steps, plan.plan.stepping);
    }
    lane.stage = lane.programs.size();
    for (std::size_t c = 0; c < lane.programs.front().channels().size(); ++c) {
      channels.push_back({.lane = static_cast<std::uint32_t>(lanes.size()),
                          .number = static_cast<std::uint32_t>(c)});
    }
    lanes.push_back(std::move(lane));
  }
}

void Lanes::connect(const Fabric& fabric) {
  // Per lane, channels by the Peer that they lead to.
  std::vector<std::pair<Peer, std::uint32_t>> by_peer(channels.size());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    by_peer[i] = {peer(channels[i]), static_cast<std::uint32_t>(i)};
  }
  const auto channels_of_lane = [&](std::size_t lane) {
    const std::size_t first = lanes[lane].first_channel;
    const std::size_t end =
        lane + 1 < lanes.size() ? lanes[lane + 1].first_channel : channels.size();
    return std::span(by_peer).subspan(first, end - first);
  };
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) std::ranges::sort(channels_of_lane(lane));
  for (Channel& channel : channels) {
    const LaneState& lane = lanes[channel.lane];
    const Meeting meeting = fabric.opposite(lane.actor, peer(channel));
    const ActorState& other = actors.at(meeting.actor);
    ensure(lane.number < other.lanes, "lanes meet");
    const auto theirs = channels_of_lane(other.first_lane + lane.number);
    const auto found =
        std::ranges::lower_bound(theirs, meeting.as, {}, &std::pair<Peer, std::uint32_t>::first);
    ensure(found != theirs.end() && found->first == meeting.as, "channels meet");
    channel.remote = found->second;
  }
  for (const Channel& channel : channels) require_meeting(channel, channels[channel.remote]);
}

void Lanes::require_meeting(const Channel& from, const Channel& to) const {
  const auto& theirs = lanes[to.lane].programs;
  const auto& ours = lanes[from.lane].programs;
  for (std::size_t stage = 0; stage < ours.size(); ++stage) {
    const auto sends = ours[stage].queue(from.number, Operation::Kind::send);
    const auto receives = theirs[stage].queue(to.number, Operation::Kind::receive);
    ensure(sends.size() == receives.size(), "every send meets a receive");
  }
}

std::uint64_t Lanes::messages() const {
  std::uint64_t count = 0;
  for (const LaneState& lane : lanes) {
    for (const LaneProgram& program : lane.programs) {
      count += static_cast<std::uint64_t>(
          std::ranges::count(program.operations(), Operation::Kind::send, &Operation::kind));
    }
  }
  return count;
}

}  // namespace gradwire::simulator
