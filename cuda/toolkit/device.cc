#include <algorithm>
#include <filesystem>
#include <system_error>

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "core/pattern_numbers.h"
#include "cuda/open.h"
#include "cuda/toolkit/checked.h"
#include "cuda/toolkit/stream.h"

namespace gradwire::cuda {
namespace {

namespace device = transport::device;

/// As CUDA numbers them, where CUDA_VISIBLE_DEVICES has not said otherwise.
constexpr int kFirst = 0;

std::shared_ptr<void> device_bytes(std::size_t bytes) {
  void* memory = nullptr;
  require_success(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)),
                  fmt::format("cudaMalloc of {} bytes", bytes));
  std::shared_ptr<void> owner(memory, [](void* mine) { static_cast<void>(cudaFree(mine)); });
  require_success(cudaMemset(memory, 0, bytes), fmt::format("clear {} bytes", bytes));
  // Streams of ours do not wait for the default one, which clears.
  require_success(cudaDeviceSynchronize(), fmt::format("clear {} bytes", bytes));
  return owner;
}

class CudaDevice final : public device::Device {
 public:
  explicit CudaDevice(const cudaDeviceProp& properties) : name_(properties.name) {}

  [[nodiscard]] std::string name() const override { return name_; }

  [[nodiscard]] device::DeviceMemory allocate(Dtype type, std::size_t count) override {
    std::shared_ptr<void> owner = device_bytes(count * size_of(type));
    auto* const address = static_cast<std::byte*>(owner.get());
    return {.owner = std::move(owner), .elements = {address, count, type}};
  }

  [[nodiscard]] device::PinnedMemory allocate_pinned(Dtype type, std::size_t count) override {
    const std::size_t bytes = count * size_of(type);
    void* memory = nullptr;
    require_success(cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocDefault),
                    fmt::format("cudaHostAlloc of {} bytes", bytes));
    std::shared_ptr<void> owner(memory, [](void* mine) { static_cast<void>(cudaFreeHost(mine)); });
    const std::span<std::byte> all(static_cast<std::byte*>(memory), bytes);
    std::ranges::fill(all, std::byte{0});
    return {.owner = std::move(owner), .elements = {all, type}};
  }

  [[nodiscard]] std::unique_ptr<device::Stream> make_stream(std::size_t events) override {
    return std::make_unique<CudaStream>(events);
  }

 private:
  std::string name_;
};

/// What CUDA says of the first device. Throws DeviceError where it finds none.
cudaDeviceProp find_first() {
  std::error_code ignored;
  if (!std::filesystem::exists("/proc/driver/nvidia", ignored)) {
    throw device::DeviceError("no GPU: NVIDIA's driver is not loaded");
  }
  int count = 0;
  require_success(cudaGetDeviceCount(&count), "no GPU");
  if (count == 0) throw device::DeviceError("no GPU: CUDA finds none");
  cudaDeviceProp properties{};
  require_success(cudaGetDeviceProperties(&properties, kFirst), "ask the GPU what it is");
  return properties;
}

/// A GPU for which no kernel was compiled is found out here, not in the middle of a run.
void require_kernels(CudaDevice& gpu) {
  constexpr std::size_t kCount = 1000;
  const device::DeviceMemory memory = gpu.allocate(Dtype::float32, kCount);
  const PatternRun run{.end = kCount, .number = Number32{.mask = 0xffff, .of_ranks = 1}};
  CudaStream stream(0);
  stream.fill(memory.elements, run);
  if (stream.compare(memory.elements, run).count == 0) return;
  throw device::DeviceError("the GPU does not hold what it was filled with");
}

}  // namespace

std::unique_ptr<device::Device> open_device() {
  auto gpu = std::make_unique<CudaDevice>(find_first());
  require_kernels(*gpu);
  return gpu;
}

std::string describe_gpu() try {
  const cudaDeviceProp gpu = find_first();
  static_cast<void>(open_device());
  int driver = 0;
  require_success(cudaDriverGetVersion(&driver), "ask the driver for its version");
  std::error_code ignored;
  const bool peermem = std::filesystem::exists("/sys/module/nvidia_peermem", ignored);
  return fmt::format("usable: {}, sm_{}{}, {:.1f} GiB, CUDA {}.{}; nvidia-peermem {}", gpu.name,
                     gpu.major, gpu.minor, static_cast<double>(gpu.totalGlobalMem) / 0x1p30,
                     driver / 1000, driver % 1000 / 10, peermem ? "loaded" : "not loaded");
} catch (const device::DeviceError& error) {
  return error.what();
}

}  // namespace gradwire::cuda
