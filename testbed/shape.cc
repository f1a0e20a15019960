#include "testbed/shape.h"

#include <algorithm>

namespace gradwire::testbed {
namespace {

constexpr double kLatenessSeconds = 0.001;
constexpr std::size_t kLargestOffloadPacket = 72 * 1024;
/// Payload of a segmentation-offload packet: 64 KiB without the room that Linux keeps for headers
/// (MAX_TCP_HEADER).
constexpr std::size_t kOffloadPayload = 64 * 1024 - 320;
/// Smallest burst for RoCE: Soft-RoCE hands over packet by packet, and four of the largest keep a
/// slow link busy when a virtual machine wakes the shaper late.
constexpr std::size_t kRocePackets = 4 * (4096 + 58);
constexpr double kEthernetHeader = 14;
constexpr double kIpTcpHeaders = 52;
constexpr double kRoceHeaders = 44;  // IP, UDP, base transport header, checksum
/// Bytes that Soft-RoCE sets aside for headers, optional ones included, when it chooses its
/// payload.
constexpr std::size_t kRoceReserve = 80;
constexpr std::size_t kSmallestRocePayload = 256;
constexpr std::size_t kLargestRocePayload = 4096;

}  // namespace

std::size_t default_burst(BitRate rate, Framing framing) {
  const auto late = static_cast<std::size_t>(rate.bytes_per_second() * kLatenessSeconds);
  return std::max(late, framing == Framing::roce ? kRocePackets : kLargestOffloadPacket);
}

LinkShape shape_for(BitRate rate, std::size_t mtu, Framing framing) {
  const std::size_t burst = rate.is_limited() ? default_burst(rate, framing) : 0;
  return {.rate = rate, .mtu = mtu, .burst = burst, .framing = framing};
}

Seconds refill_time(const LinkShape& shape) {
  if (!shape.rate.is_limited()) return Seconds(0);
  return Seconds(static_cast<double>(shape.burst) / shape.rate.bytes_per_second());
}

std::size_t largest_segment(std::size_t mtu) {
  const std::size_t packet = mtu - static_cast<std::size_t>(kIpTcpHeaders);
  return std::max<std::size_t>(1, kOffloadPayload / packet) * packet;
}

std::size_t roce_payload(std::size_t mtu) {
  std::size_t payload = kLargestRocePayload;
  while (payload > kSmallestRocePayload && payload + kRoceReserve > mtu) payload /= 2;
  return payload;
}

double payload_fraction(std::size_t mtu, Framing framing) {
  if (framing == Framing::roce) {
    const auto payload = static_cast<double>(roce_payload(mtu));
    return payload / (payload + kEthernetHeader + kRoceHeaders);
  }
  const auto packet = static_cast<double>(mtu);
  return (packet - kIpTcpHeaders) / (packet + kEthernetHeader);
}

}  // namespace gradwire::testbed
