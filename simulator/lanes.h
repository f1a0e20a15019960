#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/lane_program.h"
#include "core/plan.h"
#include "simulator/fabric.h"

/// Where every lane of every actor stands. This is the bookkeeping of simulation.h, without time.
namespace gradwire::simulator {

/// One end of a channel, and how many of the stage's messages have begun to move there.
struct Channel {
  std::uint32_t lane = 0;    ///< that this end belongs to
  std::uint32_t number = 0;  ///< within the lane
  std::uint32_t remote = 0;  ///< the channel at the other end
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
  bool is_sending = false;  ///< a message is on its way out
};

/// How far a lane has come.
struct LaneState {
  std::uint32_t actor = 0;
  std::uint32_t number = 0;  ///< within the actor
  std::uint32_t first_channel = 0;
  std::vector<LaneProgram> programs;         ///< by stage
  std::vector<std::uint32_t> inputs_left;    ///< by gate of the stage
  std::vector<std::uint8_t> has_started;     ///< by gate: what is behind it may take place
  std::vector<std::uint32_t> wakeups_given;  ///< by operation
  std::size_t stage = 0;                     ///< that runs; beyond the last when none has begun
  std::size_t operations_left = 0;

  [[nodiscard]] const LaneProgram& program() const { return programs[stage]; }
};

/// How far an actor has come.
struct ActorState {
  std::uint32_t first_lane = 0;
  std::uint32_t lanes = 0;
  std::size_t stage = 0;  ///< that runs or is next
  std::size_t lanes_left = 0;
};

/// A gate that has had all its inputs.
struct OpenGate {
  std::uint32_t lane = 0;
  std::uint32_t gate = 0;
};

/// A send and the receive that it meets, as operations of their lanes.
struct Pair {
  std::uint32_t send = 0;
  std::uint32_t receive = 0;
};

/// Makes an actor's Plan, which need only last until the next one is made.
using PlanOfActor = std::function<const StagedPlan&(std::size_t actor)>;

/// All actors, lanes and channels of a simulation.
class Lanes {
 public:
  /// Throws InternalError when some channel has no other end, or does not receive in a stage as
  /// many messages as are sent there: the Plans do not belong together.
  Lanes(const Fabric& fabric, const PlanOfActor& plan_of);

  [[nodiscard]] std::span<const ActorState> actors() const { return actors_; }
  /// The lanes of all actors.
  [[nodiscard]] std::size_t size() const { return lanes_.size(); }
  [[nodiscard]] const LaneState& lane(std::size_t number) const { return lanes_[number]; }
  [[nodiscard]] std::span<const Channel> channels() const { return channels_; }
  /// Where a channel leads to, as its actor names it.
  [[nodiscard]] const Peer& peer(const Channel& channel) const;
  [[nodiscard]] std::size_t actor(const Channel& channel) const {
    return lanes_[channel.lane].actor;
  }
  /// How many sends all stages of all lanes have together.
  [[nodiscard]] std::uint64_t messages() const;

  /// Puts everything back to before the first stage. Requires that no stage is under way.
  void rewind();
  /// Begins the actor's next stage. Returns whether there is anything to do in it; if not, it is
  /// over.
  bool begin_stage(std::size_t actor);
  /// Notes that the first `elements` of an operation are done.
  void advance(std::size_t lane, std::size_t operation, std::size_t elements);
  /// Notes that all of an operation is done. Returns whether it was the last one of its actor's
  /// stage, which is over then.
  bool finish(std::size_t lane, std::size_t operation);

  /// The gates that begin_stage(), advance() and finish() opened since the last call, in order.
  [[nodiscard]] std::vector<OpenGate> take_opened();
  /// Whether sends are behind the gate. Otherwise receives are, or nothing is.
  [[nodiscard]] bool is_for_sends(const OpenGate& gate) const;
  /// Lets what is behind the gate take place from now on. Returns the channels, by their sending
  /// ends, on which a message may be able to move now.
  [[nodiscard]] std::span<const std::uint32_t> start(const OpenGate& gate);
  /// Takes a channel's next message, if both ends are ready for it and none is on its way out.
  [[nodiscard]] std::optional<Pair> take_message(std::uint32_t channel);
  /// Notes that the channel's message has left.
  void release(std::uint32_t channel) { channels_[channel].is_sending = false; }

 private:
  void add_actor(const StagedPlan& plan);
  void connect(const Fabric& fabric);
  void require_meeting(const Channel& from, const Channel& to) const;
  void reset(LaneState& lane, std::size_t stage);
  void open(std::size_t lane, std::size_t gate);

  std::vector<ActorState> actors_;
  std::vector<LaneState> lanes_;
  std::vector<Channel> channels_;
  std::vector<OpenGate> opened_;
  std::vector<std::uint32_t> movable_;
};

}  // namespace gradwire::simulator
