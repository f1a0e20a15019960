#pragma once

#include <cstddef>
#include <cstdint>

#include "core/mtu.h"
#include "core/units.h"

/// Shape of an emulated link, and the share of its rate that payload gets.
namespace gradwire::testbed {

/// Framing of the payload: TCP segments or RoCE v2 packets.
enum class Framing : std::uint8_t { tcp, roce };

/// Shape of both directions of every cable of a testbed.
struct LinkShape {
  BitRate rate;                   ///< unlimited: no shaper, as fast as the machine
  std::size_t mtu = kDefaultMtu;  ///< bytes of an IP packet
  /// Bytes that a shaper lets through at once after a pause.
  std::size_t burst = 0;
  /// Bytes that a shaper holds before it drops: room for an n-to-1 incast of whole shards, as on a
  /// lossless fabric.
  std::size_t queue = 64 * 1024 * 1024;
  /// Framing of the payload. With roce, each host port gets a Soft-RoCE device.
  Framing framing = Framing::tcp;
};

/// The smallest burst with which a busy machine keeps the rate. A shaper woken late can make up for
/// at most one burst, so it must cover the lateness (1 ms of the rate); and it must exceed one
/// segmentation-offload packet of 64 KiB with the headers of its parts, which the shaper would
/// otherwise cut up in software. RoCE has no such packets: four of its largest are enough.
[[nodiscard]] std::size_t default_burst(BitRate rate, Framing framing = Framing::tcp);

/// A shape with the default burst; of an unlimited rate, without one.
[[nodiscard]] LinkShape shape_for(BitRate rate, std::size_t mtu, Framing framing = Framing::tcp);

/// The pause after which a shaper lets a whole burst through again.
[[nodiscard]] Seconds refill_time(const LinkShape& shape);

/// The share of an emulated link's rate that payload gets. The shaper counts the Ethernet header
/// (14 bytes) and the IP packet. With TCP, the headers of IP, TCP and timestamps take 52 bytes of
/// that packet: (mtu - 52)/(mtu + 14). RoCE v2's packets carry 256 to 4096 bytes, a power of two P;
/// IP, UDP, the base transport header and the checksum take 44: P/(P + 58).
[[nodiscard]] double payload_fraction(std::size_t mtu, Framing framing = Framing::tcp);

/// The most payload that TCP hands to a port as one piece with packets of this MTU, which ports
/// pass whole (segmentation offload, 64 KiB with room for headers).
[[nodiscard]] std::size_t largest_segment(std::size_t mtu);

/// The payload of a full packet of a Soft-RoCE device on an interface of this MTU: 4096 for an MTU
/// from 4176 on.
[[nodiscard]] std::size_t roce_payload(std::size_t mtu);

}  // namespace gradwire::testbed
