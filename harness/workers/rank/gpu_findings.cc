#include "harness/workers/rank/gpu_findings.h"

#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "transport/cuda/open.h"
#include "transport/cuda/rdma_access.h"
#include "transport/execution/gradient_way.h"
#include "transport/execution/settings.h"

namespace gradwire::workers {
namespace {

std::string ways_here() {
  const transport::device::RdmaAccess rdma = cuda::find_rdma_access();
  std::vector<std::string> ways;
  for (const execution::NamedTransport& transport : execution::transports()) {
    const auto question = execution::ask_here(transport.kind, transport::device::Reach::cuda, rdma);
    ways.push_back(fmt::format("{} {}", transport.name, describe_way(question)));
  }
  return fmt::format("{}", fmt::join(ways, "; "));
}

}  // namespace

GpuFindings find_gpu(const Clock& clock) {
  GpuFindings found{.gpu = cuda::describe_gpu(), .ways = ways_here()};
  try {
    found.copies = transport::device::measure_copies(*cuda::open_device(), clock);
  } catch (const transport::device::DeviceError& error) {
    found.why_not = error.what();
  }
  return found;
}

std::string to_text(const GpuFindings& findings) {
  constexpr double kGiga = 1e9;
  const std::string bus =
      findings.copies
          ? fmt::format("{:.1f} GB/s to the host, {:.1f} GB/s to the GPU",
                        findings.copies->to_host / kGiga, findings.copies->to_device / kGiga)
          : fmt::format("not measured: {}", findings.why_not);
  return fmt::format("gpu: {}\nbus: {}\ngradients: {}\n", findings.gpu, bus, findings.ways);
}

}  // namespace gradwire::workers
