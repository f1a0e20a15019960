#pragma once

#include <cstddef>
#include <vector>

/// Packets in ns-3 (https://www.nsnam.org): TCP connections over cables, and switches that drop what
/// does not fit. It is what max-min fair flows leave out.
///
/// C++17, because ns-3's headers are no C++20: packet_instance.h makes these types from ours.
namespace gradwire::simulator::testing {

/// Bytes that a connection sends in a packet, and that the packet takes on a cable: with TCP's
/// header and timestamps, IP's, and a frame of two bytes.
inline constexpr std::size_t kSegmentBytes = 1448;
inline constexpr std::size_t kPacketBytes = kSegmentBytes + 32 + 20 + 2;
/// Segments that a connection sends before it hears of the first (RFC 6928).
inline constexpr std::size_t kInitialWindow = 10;

/// A cable between two nodes.
struct PacketCable {
  std::size_t a = 0;
  std::size_t b = 0;
  double rate = 0;  ///< bits per second, each way
};

/// Hosts and switches. What does not fit into a switch's queue is dropped; hosts hold all they send.
struct PacketNetwork {
  std::size_t hosts = 0;  ///< nodes 0..hosts-1
  std::size_t nodes = 0;
  std::vector<PacketCable> cables;
  double delay = 1e-6;            ///< along each cable, in seconds
  std::size_t queue = 100;        ///< packets, at each end of a cable at a switch
  double shortest_timeout = 0.2;  ///< seconds before what was lost is sent again, at least
};

/// One cable on a way.
struct PacketHop {
  std::size_t cable = 0;
  bool from_a = true;
};

/// What one connection carries.
struct Transfer {
  std::vector<PacketHop> way;  ///< acknowledgements come back the same way
  std::size_t bytes = 0;
};

struct PacketRun {
  std::vector<double> times;  ///< until the last byte has arrived, in seconds, by transfer
  std::size_t dropped = 0;    ///< packets that found a full queue
};

/// Begins all transfers at once, over connections that stand, and runs until all are done, in a
/// process of its own. The same input gives the same result. Congestion control is CUBIC, with
/// selective acknowledgements. Throws std::runtime_error unless all transfers are done within
/// 1,000 simulated seconds.
[[nodiscard]] PacketRun packet_run(const PacketNetwork& network,
                                   const std::vector<Transfer>& transfers);

}  // namespace gradwire::simulator::testing
