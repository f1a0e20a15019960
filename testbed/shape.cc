#include "testbed/shape.h"

#include <algorithm>

namespace gradwire::testbed {
namespace {

constexpr double kLatenessSeconds = 0.001;
constexpr std::size_t kLargestOffloadPacket = 72 * 1024;
constexpr double kEthernetHeader = 14;
constexpr double kIpTcpHeaders = 52;

}  // namespace

std::size_t default_burst(BitRate rate) {
  const auto late = static_cast<std::size_t>(rate.bytes_per_second() * kLatenessSeconds);
  return std::max(late, kLargestOffloadPacket);
}

LinkShape shape_for(BitRate rate, std::size_t mtu) {
  return {.rate = rate, .mtu = mtu, .burst = default_burst(rate)};
}

double payload_fraction(std::size_t mtu) {
  const auto packet = static_cast<double>(mtu);
  return (packet - kIpTcpHeaders) / (packet + kEthernetHeader);
}

}  // namespace gradwire::testbed
