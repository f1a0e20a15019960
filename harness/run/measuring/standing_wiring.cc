#include "harness/run/measuring/standing_wiring.h"

#include <cmath>
#include <cstdint>

#include "topologies/load.h"

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
constexpr std::size_t kTcpHeaders = 52;  ///< of IP and TCP, with options

}  // namespace

double message_overhead(names::TransportKind transport) {
  return transport == names::TransportKind::tcp ? kTcpPacket + kFrameCheck
                                                : kSmallPackets * kSmallPacket;
}

double acknowledgement_share(std::size_t mtu, testbed::Framing framing) {
  const std::size_t packet =
      framing == testbed::Framing::roce ? testbed::roce_payload(mtu) : mtu - kTcpHeaders;
  return kAcknowledgement / 2 / static_cast<double>(packet);
}

void StandingWiring::add_planned(std::span<const Plan> plans, Dtype type, std::size_t iterations,
                                 std::vector<PlannedTraffic>& planned) const {
  const topologies::Topology& wiring = *topology();
  const topologies::LinkLoad load = topologies::load_of(wiring, plans);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const std::size_t ports = wiring.ports_per_host();
    const LinkId link = wiring.link_at({NodeId(i / ports), Port(i % ports)});
    const std::size_t bytes = iterations * size_of(type);
    const topologies::Hop out{.link = link, .from_a = true};
    const topologies::Hop in{.link = link, .from_a = false};
    planned[i].sent_bytes += load.at(out) * bytes;
    planned[i].received_bytes += load.at(in) * bytes;
    planned[i].messages += (load.messages_at(out) + load.messages_at(in)) * iterations;
  }
}

bool is_on_plan(const testbed::LinkCounters& before, const testbed::LinkCounters& now,
                const PlannedTraffic& planned, const ByteTolerance& tolerance) {
  const double messages = tolerance.message * static_cast<double>(planned.messages);
  const auto near = [&tolerance, messages](std::uint64_t counted, std::uint64_t bytes,
                                           std::uint64_t back) {
    const double expected = static_cast<double>(bytes) * (1 + tolerance.headers);
    const double off = tolerance.share * expected + tolerance.slack;
    const double acknowledged = tolerance.acknowledgements * static_cast<double>(back);
    const auto carried = static_cast<double>(counted);
    return carried >= expected - off && carried <= expected + off + messages + acknowledged;
  };
  return near(now.sent_bytes - before.sent_bytes, planned.sent_bytes, planned.received_bytes) &&
         near(now.received_bytes - before.received_bytes, planned.received_bytes,
              planned.sent_bytes);
}

}  // namespace gradwire::run
