#include "harness/run/measuring/wiring_traffic.h"

#include "core/error.h"

namespace gradwire::run {
namespace {

/// Ethernet, IP and TCP: of a packet, or of an acknowledgement the other way. Our own transport
/// puts nothing before its messages, and the check of their last frame behind them; those of other
/// frames are 16 bytes in 256 KiB.
constexpr double kTcpPacket = 66;
constexpr double kFrameCheck = 16;
/// A message of other transports is announced, granted and confirmed in packets of their own, each
/// with headers of the library's beside the wire's and each acknowledged.
constexpr double kSmallPackets = 4;
constexpr double kSmallPacket = 160;
/// Bytes of an acknowledgement with TCP's options. There is at most one for every other packet.
constexpr double kAcknowledgement = 78;
constexpr std::size_t kTcpHeaders = 52;  ///< header bytes of IP and TCP, with options

}  // namespace

WiringTraffic& WiringTraffic::operator+=(const WiringTraffic& more) {
  if (ports.empty()) ports.resize(more.ports.size());
  if (tcp.empty()) tcp.resize(more.tcp.size());
  ensure(ports.size() == more.ports.size() && tcp.size() == more.tcp.size(),
         "traffic of one wiring is added up");
  for (std::size_t i = 0; i < ports.size(); ++i) ports[i] += more.ports[i];
  for (std::size_t i = 0; i < tcp.size(); ++i) tcp[i] += more.tcp[i];
  dropped += more.dropped;
  return *this;
}

WiringTraffic operator-(const WiringTraffic& later, const WiringTraffic& earlier) {
  ensure(later.ports.size() == earlier.ports.size() && later.tcp.size() == earlier.tcp.size(),
         "two readings are of one wiring");
  WiringTraffic between{
      .ports = later.ports, .tcp = later.tcp, .dropped = later.dropped - earlier.dropped};
  for (std::size_t i = 0; i < between.ports.size(); ++i) between.ports[i] -= earlier.ports[i];
  for (std::size_t i = 0; i < between.tcp.size(); ++i) between.tcp[i] -= earlier.tcp[i];
  return between;
}

double message_overhead(execution::TransportKind transport) {
  return transport == execution::TransportKind::tcp ? kTcpPacket + kFrameCheck
                                                    : kSmallPackets * kSmallPacket;
}

double acknowledgement_share(std::size_t mtu, testbed::Framing framing) {
  const std::size_t packet =
      framing == testbed::Framing::roce ? testbed::roce_payload(mtu) : mtu - kTcpHeaders;
  return kAcknowledgement / 2 / static_cast<double>(packet);
}

bool is_on_plan(const testbed::LinkCounters& carried, const PlannedTraffic& planned,
                const ByteTolerance& tolerance) {
  const double messages = tolerance.message * static_cast<double>(planned.messages);
  const auto near = [&tolerance, messages](std::uint64_t counted, std::uint64_t bytes,
                                           std::uint64_t back) {
    const double expected = static_cast<double>(bytes) * (1 + tolerance.headers);
    const double off = tolerance.share * expected + tolerance.slack;
    const double acknowledged = tolerance.acknowledgements * static_cast<double>(back);
    const auto bytes_counted = static_cast<double>(counted);
    return bytes_counted >= expected - off &&
           bytes_counted <= expected + off + messages + acknowledged;
  };
  return near(carried.sent_bytes, planned.sent_bytes, planned.received_bytes) &&
         near(carried.received_bytes, planned.received_bytes, planned.sent_bytes);
}

bool is_on_plan(const WiringTraffic& carried, std::span<const PlannedTraffic> planned,
                const ByteTolerance& tolerance) {
  ensure(planned.empty() || planned.size() == carried.ports.size(), "a plan is of all ports");
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (!is_on_plan(carried.ports[i], planned[i], tolerance)) return false;
  }
  return true;
}

}  // namespace gradwire::run
