#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lane_program.h"
#include "core/plan.h"
#include "simulator/fabric.h"

/// Where every lane of every actor stands: the bookkeeping of simulation.h.
namespace gradwire::simulator {

/// One direction's end of a channel: how many of the stage's messages have begun to move.
struct Channel {
  std::uint32_t lane = 0;    ///< of this end
  std::uint32_t number = 0;  ///< within the lane
  std::uint32_t remote = 0;  ///< the channel at the other end
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
  bool is_sending = false;  ///< a message is on its way out
};

struct LaneState {
  std::uint32_t actor = 0;
  std::uint32_t number = 0;  ///< within the actor
  std::uint32_t first_channel = 0;
  std::vector<LaneProgram> programs;         ///< by stage
  std::vector<std::uint32_t> inputs_left;    ///< by gate of the stage
  std::vector<std::uint8_t> has_started;     ///< by gate: its sends have started up
  std::vector<std::uint32_t> wakeups_given;  ///< by operation
  std::size_t stage = 0;                     ///< that runs; beyond the last when none does
  std::size_t operations_left = 0;
  double adder_free = 0;  ///< when its additions so far are done

  [[nodiscard]] const LaneProgram& program() const { return programs[stage]; }
};

struct ActorState {
  std::uint32_t first_lane = 0;
  std::uint32_t lanes = 0;
  std::size_t stage = 0;  ///< that runs or is next
  std::size_t lanes_left = 0;
  bool is_running = false;
};

/// All actors, lanes and channels of a simulation.
class Lanes {
 public:
  /// Throws InternalError when some channel has no other end, or does not receive in a stage as
  /// many messages as are sent there: the Plans do not belong together.
  Lanes(const Fabric& fabric, std::span<const StagedPlan> plans);

  std::vector<ActorState> actors;
  std::vector<LaneState> lanes;
  std::vector<Channel> channels;

  /// A channel's messages of the stage that its lane runs.
  [[nodiscard]] std::span<const std::size_t> queue(const Channel& channel,
                                                   Operation::Kind kind) const {
    return lanes[channel.lane].program().queue(channel.number, kind);
  }
  [[nodiscard]] const Peer& peer(const Channel& channel) const {
    return lanes[channel.lane].programs.front().channels()[channel.number];
  }
  [[nodiscard]] std::size_t actor(const Channel& channel) const {
    return lanes[channel.lane].actor;
  }
  /// Sends of all stages.
  [[nodiscard]] std::uint64_t messages() const;

 private:
  void add_actor(const StagedPlan& plan);
  void connect(const Fabric& fabric);
  void require_meeting(const Channel& from, const Channel& to) const;
};

}  // namespace gradwire::simulator
