#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "simulator/sharing.h"

/// The links of an emulation, whose ports queue the bytes of TCP's sockets.
namespace gradwire::simulator {

/// The parameters by which the sockets of an emulated machine fill the queues of ports, in bytes of
/// payload, and by which links empty them.
struct SocketModel {
  /// The largest piece that a socket hands to its port, and that ports pass whole (segmentation
  /// offload); above 0.
  std::uint64_t segment = 0;
  /// The most bytes that a connection has under way, from the socket until they are acknowledged
  /// (the receiver's window); at least a segment.
  std::uint64_t window = 0;
  /// The most bytes of a message that wait in the socket when it has left its sender
  /// (TCP_NOTSENT_LOWAT).
  std::uint64_t unsent = 0;
  /// The largest share of its capacity that a link lacks, each link another one. If links were all
  /// alike, hosts that begin together would stay in step for ever, and flows that hinder each other
  /// out of step would never meet.
  double unevenness = 0;
  /// Whether acknowledgements come back through the queues of ports, and wait there behind bytes
  /// sent that way. Otherwise they are at the sender as soon as a piece has arrived.
  bool queued_acknowledgements = false;

  friend bool operator==(const SocketModel&, const SocketModel&) = default;
};

/// Byte streams over links, each with a port in front of it that passes pieces of bytes in the
/// order in which they came. A piece passes when the link's token bucket, like an emulated link's,
/// has as many tokens, and is at once in the queue of the next port. A socket has at most two
/// pieces in its port's queue (TCP small queues). So streams of a port take turns of two pieces,
/// and bytes that have run ahead are queued before bytes that others wait for. FluidNetwork models
/// neither.
///
/// Times are seconds, capacities bytes per second. Deterministic: the same calls give the same
/// bits.
class QueueNetwork {
 public:
  struct Event {
    enum class What : std::uint8_t {
      left,       ///< the socket has taken enough of the message for its sender to continue
      milestone,  ///< its bytes up to the milestone have arrived
      arrived,  ///< all of it has arrived; the number of its flow is free after the next advance()
    };
    FlowId flow;
    What what;
  };

  /// A network with these capacities by directed link, above 0. Token buckets hold `burst` bytes,
  /// and a segment at least, and are full. Requires an unevenness below 1.
  QueueNetwork(std::span<const double> capacities, const SocketModel& sockets, double burst);

  [[nodiscard]] double now() const { return now_; }

  /// Makes a connection over these links, in the order in which its bytes cross them, and returns
  /// its number. Acknowledgements cross the links of `back`, if they are queued: then both ways
  /// need a link. Requires that each link is crossed once.
  std::uint32_t connect(std::span<const LinkUse> uses, std::span<const LinkUse> back = {});
  /// Sends a message on a connection, behind those before it. Returns the number of its flow.
  FlowId send(std::uint32_t connection, std::uint64_t bytes);
  /// Reports the flow once before its end, when `bytes` of it have arrived; at once if they have.
  /// Requires fewer than all of them.
  void set_milestone(FlowId flow, std::uint64_t bytes);

  /// The time of the next event if nothing is sent before; kNever (network.h) without one.
  [[nodiscard]] double next_event() const;
  /// Advances the time to `time`, which must lie between now and next_event(). Returns the events
  /// of that time, in order; valid until the next call.
  std::span<const Event> advance(double time);

 private:
  struct Connection {
    std::vector<std::uint32_t> links;
    std::vector<std::uint32_t> back;  ///< links of acknowledgements
    std::uint64_t given = 0;          ///< bytes sent, from the first message on
    std::uint64_t handed = 0;         ///< bytes of these handed to its port
    std::uint64_t passed = 0;         ///< bytes of these passed by its port
    std::uint64_t arrived = 0;        ///< bytes of these at the other end
    std::uint64_t acknowledged = 0;   ///< bytes of these acknowledged to the sender
    std::deque<FlowId> leaving = {};
    std::deque<FlowId> arriving = {};
  };
  struct Flow {
    std::uint32_t connection = 0;
    std::uint64_t begin = 0;  ///< position in the bytes of its connection
    std::uint64_t end = 0;
    std::uint64_t milestone = 0;  ///< position likewise; 0: none
  };
  struct Piece {
    std::uint32_t connection;
    std::uint32_t hop;  ///< index in the connection's links, or in its way back
    std::uint64_t bytes;
    bool is_acknowledgement = false;  ///< acknowledges so many bytes; takes no tokens
  };
  struct Port {
    double capacity = 0;
    double tokens = 0;  ///< bytes, at counted_at
    double counted_at = 0;
    bool is_passing = false;
    std::deque<Piece> queue = {};
  };
  /// The passing of the first piece of a port's queue.
  struct Passing {
    double time;
    std::uint64_t number;  ///< order of planning
    std::uint32_t link;

    friend bool operator>(const Passing& a, const Passing& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  /// Hands the bytes that the socket may send to the port, and notes which messages have left.
  void hand_over(std::uint32_t connection);
  [[nodiscard]] bool may_hand_over(const Connection& connection, std::uint64_t bytes) const;
  void enqueue(const Piece& piece);
  void count_tokens(Port& port) const;
  [[nodiscard]] static double tokens_for(const Piece& piece);
  /// Plans the passing of the first piece of a link's queue.
  void plan(std::uint32_t link);
  void pass(std::uint32_t link);
  void arrive(const Piece& piece);
  /// Tells the sender that a piece has arrived, when its acknowledgement has come back.
  void acknowledge(const Piece& piece);
  void come_back(const Piece& acknowledgement);
  [[nodiscard]] const std::vector<std::uint32_t>& links_of(const Piece& piece) const;

  SocketModel sockets_;
  double burst_;
  double now_ = 0;
  std::uint64_t planned_ = 0;
  std::vector<Port> ports_;  ///< by link
  std::vector<Connection> connections_;
  std::vector<Flow> flows_;
  std::vector<FlowId> free_flows_;
  std::priority_queue<Passing, std::vector<Passing>, std::greater<>> passings_;
  std::vector<Event> coming_;  ///< events since the last advance()
  std::vector<Event> events_;
};

}  // namespace gradwire::simulator
