#include "harness/execution/connect.h"

#include <cstdint>

#include "core/error.h"
#include "transport/tcp/connect.h"
#include "transport/ucx/connect.h"
#include "transport/verbs/connect.h"

namespace gradwire::execution {
namespace {

using Endpoints = std::vector<std::unique_ptr<transport::Endpoint>>;

Endpoints connect_tcp(const transport::Bootstrap& bootstrap, const RankEnds& ends) {
  return transport::tcp::connect(bootstrap, {.key = ends.key,
                                             .check_frames = ends.transport.check_frames,
                                             .timeout = ends.timeout,
                                             .unacknowledged = ends.timeout});
}

Endpoints connect_verbs(const transport::Bootstrap& bootstrap, const RankEnds& ends) {
  const names::TransportSettings& settings = ends.transport;
  return transport::verbs::connect(
      bootstrap, {.timeout = ends.timeout,
                  .path = {.ack_timeout = static_cast<std::uint8_t>(settings.ack_timeout),
                           .retry_count = static_cast<std::uint8_t>(settings.retry_count),
                           .traffic_class = static_cast<std::uint8_t>(settings.traffic_class)},
                  .poll = settings.poll});
}

/// As devices count: 4.096 us * 2^exponent.
Nanoseconds acknowledgement(unsigned exponent) {
  return Nanoseconds(Nanoseconds::rep{4096} << exponent);
}

Endpoints connect_ucx(const transport::Bootstrap& bootstrap, const RankEnds& ends) {
  const names::TransportSettings& settings = ends.transport;
  const bool rc = settings.kind == names::TransportKind::ucx_rc;
  return transport::ucx::connect(
      bootstrap, {.key = ends.key,
                  .context = {.wire = rc ? transport::ucx::Wire::rc : transport::ucx::Wire::tcp,
                              .acknowledgement = acknowledgement(settings.ack_timeout)},
                  .timeout = ends.timeout,
                  .poll = settings.poll});
}

}  // namespace

Endpoints connect(const Plan& plan, Elements gradient, const RankEnds& ends) {
  const transport::Bootstrap bootstrap{.plan = plan,
                                       .self = ends.self,
                                       .gradient = gradient,
                                       .ports = ends.ports,
                                       .rendezvous = ends.rendezvous,
                                       .cancellation = ends.cancellation,
                                       .clock = ends.clock};
  switch (ends.transport.kind) {
    case names::TransportKind::tcp:
      return connect_tcp(bootstrap, ends);
    case names::TransportKind::verbs:
      return connect_verbs(bootstrap, ends);
    case names::TransportKind::ucx:
    case names::TransportKind::ucx_rc:
      return connect_ucx(bootstrap, ends);
  }
  throw_bug("a transport is one of TransportKind");
}

}  // namespace gradwire::execution
