#include "transport/cuda/toolkit/stream.h"

#include <fmt/core.h>

#include "core/error.h"
#include "transport/cuda/toolkit/checked.h"

namespace gradwire::cuda {

using transport::device::require_alike;
using transport::device::Unlike;

namespace {

void require_alike_run(const transport::device::DeviceElements& elements, const PatternRun& run) {
  require_alike(elements.type(), elements.type(), elements.size(), run.end - run.begin);
}

}  // namespace

template <>
void CudaStream::Destroy<CUstream_st>::operator()(CUstream_st* one) const {
  static_cast<void>(cudaStreamDestroy(one));
}
template <>
void CudaStream::Destroy<CUevent_st>::operator()(CUevent_st* one) const {
  static_cast<void>(cudaEventDestroy(one));
}
template <>
void CudaStream::Destroy<Findings>::operator()(Findings* one) const {
  static_cast<void>(cudaFree(one));
}

CudaStream::CudaStream(std::size_t events) {
  cudaStream_t stream = nullptr;
  require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  stream_.reset(stream);
  for (std::size_t i = 0; i < events; ++i) {
    cudaEvent_t event = nullptr;
    require_success(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
    events_.emplace_back(event);
  }
  void* findings = nullptr;
  require_success(cudaMalloc(&findings, sizeof(Findings)), "cudaMalloc of findings");
  findings_.reset(static_cast<Findings*>(findings));
}

CudaStream::~CudaStream() {
  static_cast<void>(cudaStreamSynchronize(stream_.get()));
}

void CudaStream::copy_out(Elements to, DeviceElements from) {
  require_alike(to.type(), from.type(), to.size(), from.size());
  require_success(cudaMemcpyAsync(to.bytes().data(), from.address(), from.bytes(),
                                  cudaMemcpyDeviceToHost, stream_.get()),
                  fmt::format("copy {} bytes to the host", from.bytes()));
}

void CudaStream::copy_in(DeviceElements to, Elements from) {
  require_alike(to.type(), from.type(), to.size(), from.size());
  require_success(cudaMemcpyAsync(to.address(), from.bytes().data(), to.bytes(),
                                  cudaMemcpyHostToDevice, stream_.get()),
                  fmt::format("copy {} bytes to the device", to.bytes()));
}

void CudaStream::copy_within(DeviceElements to, DeviceElements from) {
  require_alike(to.type(), from.type(), to.size(), from.size());
  require_success(cudaMemcpyAsync(to.address(), from.address(), to.bytes(),
                                  cudaMemcpyDeviceToDevice, stream_.get()),
                  fmt::format("copy {} bytes within the device", to.bytes()));
}

void CudaStream::clear(DeviceElements elements) {
  require_success(cudaMemsetAsync(elements.address(), 0, elements.bytes(), stream_.get()),
                  fmt::format("clear {} bytes of the device", elements.bytes()));
}

void CudaStream::add(DeviceElements sums, DeviceElements terms) {
  require_alike(sums.type(), terms.type(), sums.size(), terms.size());
  ensure(sums.type() != Dtype::byte, "bytes move, and are never added");
  require_started(
      start_add(sums.type(), sums.address(), terms.address(), sums.size(), stream_.get()), "add");
}

void CudaStream::fill(DeviceElements elements, const PatternRun& run) {
  require_alike_run(elements, run);
  require_started(start_fill(elements.type(), elements.address(), run, stream_.get()), "fill");
}

Unlike CudaStream::compare(DeviceElements elements, const PatternRun& run) {
  require_alike_run(elements, run);
  Findings found{.count = 0, .first = ~0ULL};
  const auto move = [&](void* to, const void* from, cudaMemcpyKind kind) {
    require_success(cudaMemcpyAsync(to, from, sizeof found, kind, stream_.get()), "copy findings");
  };
  move(findings_.get(), &found, cudaMemcpyHostToDevice);
  require_started(
      start_compare(elements.type(), elements.address(), run, findings_.get(), stream_.get()),
      "compare");
  move(&found, findings_.get(), cudaMemcpyDeviceToHost);
  synchronize();
  Unlike unlike{.count = found.count};
  if (found.count > 0) unlike.first = found.first;
  return unlike;
}

void CudaStream::mark(std::size_t event) {
  require_success(cudaEventRecord(events_.at(event).get(), stream_.get()), "record an event");
}

bool CudaStream::is_done(std::size_t event) {
  const cudaError_t result = cudaEventQuery(events_.at(event).get());
  if (result == cudaErrorNotReady) return false;
  require_success(result, "work of a stream");
  return true;
}

void CudaStream::synchronize() {
  require_success(cudaStreamSynchronize(stream_.get()), "work of a stream");
}

}  // namespace gradwire::cuda
