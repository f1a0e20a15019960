#include "transport/execution/connect.h"

#include <cstdint>

#include "core/error.h"
#include "transport/device/staged.h"
#include "transport/execution/gradient_way.h"
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
                                             .unacknowledged = ends.timeout,
                                             .rate = ends.rate});
}

transport::verbs::ConnectOptions verbs_options(const RankEnds& ends) {
  const execution::TransportSettings& settings = ends.transport;
  return {.timeout = ends.timeout,
          .path = {.ack_timeout = static_cast<std::uint8_t>(settings.ack_timeout),
                   .retry_count = static_cast<std::uint8_t>(settings.retry_count),
                   .traffic_class = static_cast<std::uint8_t>(settings.traffic_class)},
          .poll = settings.poll};
}

/// Time without an acknowledgement, as devices count it: 4.096 us * 2^exponent.
Nanoseconds acknowledgement(unsigned exponent) {
  return Nanoseconds(Nanoseconds::rep{4096} << exponent);
}

transport::ucx::ConnectOptions ucx_options(const RankEnds& ends) {
  const execution::TransportSettings& settings = ends.transport;
  const bool rc = settings.kind == execution::TransportKind::ucx_rc;
  return {.key = ends.key,
          .context = {.wire = rc ? transport::ucx::Wire::rc : transport::ucx::Wire::tcp,
                      .acknowledgement = acknowledgement(settings.ack_timeout)},
          .timeout = ends.timeout,
          .poll = settings.poll};
}

transport::Bootstrap bootstrap_of(const Plan& plan, Elements gradient, const RankEnds& ends) {
  return {.plan = plan,
          .self = ends.self,
          .gradient = gradient,
          .ports = ends.ports,
          .rendezvous = ends.rendezvous,
          .cancellation = ends.cancellation,
          .clock = ends.clock};
}

}  // namespace

Endpoints connect(const Plan& plan, Elements gradient, const RankEnds& ends) {
  const transport::Bootstrap bootstrap = bootstrap_of(plan, gradient, ends);
  switch (ends.transport.kind) {
    case execution::TransportKind::tcp:
      return connect_tcp(bootstrap, ends);
    case execution::TransportKind::verbs:
      return transport::verbs::connect(bootstrap, verbs_options(ends));
    case execution::TransportKind::ucx:
    case execution::TransportKind::ucx_rc:
      return transport::ucx::connect(bootstrap, ucx_options(ends));
  }
  throw_bug("a transport is one of TransportKind");
}

Endpoints connect(const Plan& plan, const transport::device::DeviceGradient& gradient,
                  const RankEnds& ends) {
  const execution::TransportKind kind = ends.transport.kind;
  const WayQuestion question =
      ask_here(kind, gradient.device.reach(), gradient.device.rdma_access());
  switch (way_of(question)) {
    case GradientWay::staged:
      return transport::device::connect_staged(
          plan, gradient,
          [&ends](const Plan& pieces, Elements pinned) { return connect(pieces, pinned, ends); });
    case GradientWay::pointers:
      break;
    case GradientWay::none:
      throw transport::device::DeviceError("memory: device: " + describe_way(question));
  }
  const transport::Bootstrap bootstrap = bootstrap_of(plan, {}, ends);
  if (kind == execution::TransportKind::verbs) {
    return transport::verbs::connect(bootstrap, verbs_options(ends), gradient);
  }
  return transport::ucx::connect(bootstrap, ucx_options(ends), gradient);
}

}  // namespace gradwire::execution
