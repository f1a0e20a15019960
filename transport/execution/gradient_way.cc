#include "transport/execution/gradient_way.h"

#include <fmt/core.h>

#include "transport/ucx/connect.h"

namespace gradwire::execution {

using execution::TransportKind;
using transport::device::RdmaAccess;
using transport::device::Reach;

GradientWay way_of(const WayQuestion& question) {
  if (question.transport == TransportKind::tcp) return GradientWay::staged;
  if (question.transport == TransportKind::verbs) {
    return question.rdma == RdmaAccess::none ? GradientWay::none : GradientWay::pointers;
  }
  if (question.reach == Reach::streams) return GradientWay::staged;
  if (question.reach == Reach::host) return GradientWay::pointers;
  return question.ucx_takes_cuda() ? GradientWay::pointers : GradientWay::staged;
}

WayQuestion ask_here(TransportKind transport, Reach reach, RdmaAccess rdma) {
  return {.transport = transport,
          .reach = reach,
          .rdma = rdma,
          .ucx_takes_cuda = transport::ucx::takes_cuda_memory};
}

std::string describe_way(const WayQuestion& question) {
  switch (way_of(question)) {
    case GradientWay::staged:
      return "staged";
    case GradientWay::none:
      return "none: neither nvidia-peermem nor dma-buf gives RDMA devices a GPU's memory here";
    case GradientWay::pointers:
      break;
  }
  if (question.transport != TransportKind::verbs) {
    return fmt::format("device pointers ({})", to_string(question.transport));
  }
  const bool by_address = question.rdma == RdmaAccess::addresses;
  return fmt::format("device pointers (verbs, {})", by_address ? "nvidia-peermem" : "dma-buf");
}

}  // namespace gradwire::execution
