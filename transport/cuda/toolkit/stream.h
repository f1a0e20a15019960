#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include "transport/cuda/toolkit/kernels.h"
#include "transport/device/device.h"

namespace gradwire::cuda {

/// CUDA stream that waits for no other, the default stream included.
class CudaStream final : public transport::device::Stream {
 public:
  using Elements = gradwire::Elements;
  using DeviceElements = transport::device::DeviceElements;

  explicit CudaStream(std::size_t events);
  ~CudaStream() override;

  void copy_out(Elements to, DeviceElements from) override;
  void copy_in(DeviceElements to, Elements from) override;
  void copy_within(DeviceElements to, DeviceElements from) override;
  void clear(DeviceElements elements) override;
  void add(DeviceElements sums, DeviceElements terms) override;
  void fill(DeviceElements elements, const PatternRun& run) override;
  [[nodiscard]] transport::device::Unlike compare(DeviceElements elements,
                                                  const PatternRun& run) override;
  void mark(std::size_t event) override;
  [[nodiscard]] bool is_done(std::size_t event) override;
  void synchronize() override;

 private:
  template <class T>
  struct Destroy {
    void operator()(T* one) const;
  };
  using Event = std::unique_ptr<CUevent_st, Destroy<CUevent_st>>;

  std::unique_ptr<CUstream_st, Destroy<CUstream_st>> stream_;
  std::vector<Event> events_;
  std::unique_ptr<Findings, Destroy<Findings>> findings_;  ///< in the device's memory
};

}  // namespace gradwire::cuda
