#include "harness/workers/rank/connect.h"

#include <cstdint>

#include "core/error.h"
#include "transport/tcp/connect.h"
#include "transport/ucx/connect.h"
#include "transport/verbs/connect.h"

namespace gradwire::workers {
namespace {

using Endpoints = std::vector<std::unique_ptr<transport::Endpoint>>;

transport::Bootstrap bootstrap(const Job& job, const Plan& plan, Elements gradient,
                               const WorkerContext& context) {
  return {.plan = plan,
          .self = job.rank,
          .gradient = gradient,
          .ports = job.ports,
          .rendezvous = context.rendezvous,
          .cancellation = context.cancellation,
          .clock = context.clock};
}

Endpoints connect_tcp(const Job& job, const Plan& plan, Elements gradient,
                      const WorkerContext& context) {
  return transport::tcp::connect(bootstrap(job, plan, gradient, context),
                                 {.key = job.key,
                                  .check_frames = job.transport.check_frames,
                                  .timeout = job.timeout,
                                  .unacknowledged = job.timeout});
}

Endpoints connect_verbs(const Job& job, const Plan& plan, Elements gradient,
                        const WorkerContext& context) {
  const names::TransportSettings& settings = job.transport;
  return transport::verbs::connect(
      bootstrap(job, plan, gradient, context),
      {.timeout = job.timeout,
       .path = {.ack_timeout = static_cast<std::uint8_t>(settings.ack_timeout),
                .retry_count = static_cast<std::uint8_t>(settings.retry_count),
                .traffic_class = static_cast<std::uint8_t>(settings.traffic_class)},
       .poll = settings.poll});
}

/// As devices count: 4.096 us * 2^exponent.
Nanoseconds acknowledgement(unsigned exponent) {
  return Nanoseconds(Nanoseconds::rep{4096} << exponent);
}

Endpoints connect_ucx(const Job& job, const Plan& plan, Elements gradient,
                      const WorkerContext& context) {
  const names::TransportSettings& settings = job.transport;
  const bool rc = settings.kind == names::TransportKind::ucx_rc;
  return transport::ucx::connect(
      bootstrap(job, plan, gradient, context),
      {.key = job.key,
       .context = {.wire = rc ? transport::ucx::Wire::rc : transport::ucx::Wire::tcp,
                   .acknowledgement = acknowledgement(settings.ack_timeout)},
       .timeout = job.timeout,
       .poll = settings.poll});
}

}  // namespace

Endpoints connect(const Job& job, const Plan& plan, Elements gradient,
                  const WorkerContext& context) {
  switch (job.transport.kind) {
    case names::TransportKind::tcp:
      return connect_tcp(job, plan, gradient, context);
    case names::TransportKind::verbs:
      return connect_verbs(job, plan, gradient, context);
    case names::TransportKind::ucx:
    case names::TransportKind::ucx_rc:
      return connect_ucx(job, plan, gradient, context);
  }
  throw_bug("a transport is one of TransportKind");
}

}  // namespace gradwire::workers
