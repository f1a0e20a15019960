#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/lane_program.h"
#include "core/plan.h"
#include "simulator/fabric.h"

/// The progress of every lane of every actor. This is the bookkeeping of simulation.h, without
/// time.
namespace gradwire::simulator {

/// One end of a channel, and the number of its messages that have begun to move there.
struct Channel {
  std::uint32_t lane = 0;    ///< lane of this end
  std::uint32_t number = 0;  ///< number within the lane
  std::uint32_t remote = 0;  ///< channel at the other end
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
  bool is_sending = false;  ///< a message is on its way out
};

/// The progress of a lane.
struct LaneState {
  std::uint32_t actor = 0;
  std::uint32_t number = 0;  ///< number within the actor
  std::uint32_t first_channel = 0;
  LaneProgram program;
  std::vector<std::uint32_t> inputs_left = {};    ///< by gate
  std::vector<std::uint8_t> has_started = {};     ///< by gate: its operations may take place
  std::vector<std::uint32_t> wakeups_given = {};  ///< by operation
  std::size_t operations_left = 0;

  /// Whether its actor has begun, and the lane has something to do.
  [[nodiscard]] bool has_begun() const { return !has_started.empty(); }
};

/// The progress of an actor.
struct ActorState {
  std::uint32_t first_lane = 0;
  std::uint32_t lanes = 0;
  std::size_t lanes_left = 0;  ///< lanes with something to do; 0 also before it has begun
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

/// All actors, lanes and channels of a collective.
class Lanes {
 public:
  /// The lanes of these Plans, by actor. Each Plan is destroyed when its lanes are made, because it
  /// takes as much memory as they do. Throws InternalError when there are more or fewer Plans than
  /// actors, and when some channel has no other end or does not receive as many messages as are
  /// sent there: the Plans do not belong together.
  Lanes(const Fabric& fabric, std::vector<Plan> plans);

  [[nodiscard]] std::span<const ActorState> actors() const { return actors_; }
  /// The number of lanes of all actors.
  [[nodiscard]] std::size_t size() const { return lanes_.size(); }
  [[nodiscard]] const LaneState& lane(std::size_t number) const { return lanes_[number]; }
  [[nodiscard]] std::span<const Channel> channels() const { return channels_; }
  /// The Peer at which a channel leads, in its actor's terms.
  [[nodiscard]] const Peer& peer(const Channel& channel) const;
  [[nodiscard]] std::size_t actor(const Channel& channel) const {
    return lanes_[channel.lane].actor;
  }
  /// The number of sends of all lanes together.
  [[nodiscard]] std::uint64_t messages() const;

  /// Resets everything to the state before any actor has begun. Requires that no message is under
  /// way.
  void rewind();
  /// Begins an actor's part. Returns whether there is anything to do in it; if not, it is over.
  bool begin(std::size_t actor);
  /// Notes that the first `elements` of an operation are done.
  void advance(std::size_t lane, std::size_t operation, std::size_t elements);
  /// Has the processor prefetch the memory that advance() reads first. Where thousands of
  /// operations advance at once, waiting for memory takes most of the time.
  void expect(std::size_t lane, std::size_t operation) const;
  /// Prefetches the memory that advance() reads next, once the first has arrived.
  void expect_soon(std::size_t lane, std::size_t operation) const;
  /// Notes that all of an operation is done. Returns whether it was the last one of its actor, whose
  /// part is over then.
  bool finish(std::size_t lane, std::size_t operation);

  /// The gates that begin(), advance() and finish() opened since the last call, in order. Valid until
  /// the next call.
  [[nodiscard]] std::span<const OpenGate> take_opened();
  /// Whether sends are behind the gate. Otherwise receives are, or nothing is.
  [[nodiscard]] bool is_for_sends(const OpenGate& gate) const;
  /// Lets the operations behind the gate take place from now on. Returns the channels, by their
  /// sending ends, on which a message may be able to move now.
  [[nodiscard]] std::span<const std::uint32_t> start(const OpenGate& gate);
  /// Takes a channel's next message, if both ends are ready for it and none is on its way out.
  [[nodiscard]] std::optional<Pair> take_message(std::uint32_t channel);
  /// Notes that the channel's message has left.
  void release(std::uint32_t channel) { channels_[channel].is_sending = false; }

 private:
  void add_actor(const Plan& plan);
  void connect(const Fabric& fabric);
  void require_meeting(const Channel& from, const Channel& to) const;
  void reset(LaneState& lane);
  void open(std::size_t lane, std::size_t gate);

  std::vector<ActorState> actors_;
  std::vector<LaneState> lanes_;
  std::vector<Channel> channels_;
  std::vector<OpenGate> opened_;
  std::vector<OpenGate> taken_;
  std::vector<std::uint32_t> movable_;
};

}  // namespace gradwire::simulator
