#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include "core/pattern_numbers.h"
#include "transport/cuda/open.h"
#include "transport/cuda/rdma_access.h"
#include "transport/cuda/toolkit/checked.h"
#include "transport/cuda/toolkit/driver.h"
#include "transport/cuda/toolkit/stream.h"

namespace gradwire::cuda {
namespace {

namespace device = transport::device;

/// Number of the first GPU, as CUDA counts them; CUDA_VISIBLE_DEVICES can change the order.
constexpr int kFirst = 0;

/// Allocates `bytes` of device memory, cleared, with whole pages around them, so that they can be
/// exported.
std::shared_ptr<void> device_bytes(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t pages = (bytes + 2 * kLargestPage - 1) / kLargestPage * kLargestPage;
  require_success(cudaMalloc(&memory, pages + kLargestPage),
                  fmt::format("cudaMalloc of {} bytes", bytes));
  std::size_t room = pages + kLargestPage;
  void* aligned = memory;
  std::align(kLargestPage, pages, aligned, room);
  std::shared_ptr<void> owner(aligned, [memory](void*) { static_cast<void>(cudaFree(memory)); });
  require_success(cudaMemset(aligned, 0, bytes), fmt::format("clear {} bytes", bytes));
  // Streams of ours do not wait for the default one, which clears.
  require_success(cudaDeviceSynchronize(), fmt::format("clear {} bytes", bytes));
  return owner;
}

/// Whether kernels see completed RDMA writes without being told.
bool orders_rdma_writes() {
  int ordering = 0;
  require_success(cudaDeviceGetAttribute(&ordering, cudaDevAttrGPUDirectRDMAWritesOrdering, kFirst),
                  "ask the GPU how it orders writes of RDMA devices");
  return ordering != cudaGPUDirectRDMAWritesOrderingNone;
}

class CudaDevice final : public device::Device {
 public:
  explicit CudaDevice(const cudaDeviceProp& properties)
      : name_(properties.name),
        rdma_access_(access_of(rdma_facts(kFirst))),
        orders_rdma_writes_(orders_rdma_writes()) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] device::Reach reach() const override { return device::Reach::cuda; }
  [[nodiscard]] device::RdmaAccess rdma_access() const override { return rdma_access_; }
  [[nodiscard]] device::DmaBuf export_memory(std::span<std::byte> memory) const override {
    return cuda::export_memory(memory);
  }
  void see_rdma_writes() override {
    if (orders_rdma_writes_) return;
    require_success(
        cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                           cudaFlushGPUDirectRDMAWritesToOwner),
        "flush the writes of RDMA devices");
  }

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
  device::RdmaAccess rdma_access_;
  bool orders_rdma_writes_;
};

/// The properties that CUDA reports of the first GPU. Throws DeviceError where it finds none.
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

/// Checks that kernels were compiled for this GPU, rather than failing in the middle of a run.
/// Throws DeviceError.
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
  const RdmaFacts facts = rdma_facts(kFirst);
  return fmt::format("usable: {}, sm_{}{}, {:.1f} GiB, CUDA {}.{}; nvidia-peermem {}, dma-buf {}",
                     gpu.name, gpu.major, gpu.minor,
                     static_cast<double>(gpu.totalGlobalMem) / 0x1p30, driver / 1000,
                     driver % 1000 / 10, facts.peermem ? "loaded" : "not loaded",
                     facts.dma_buf ? "exported" : "not exported");
} catch (const device::DeviceError& error) {
  return error.what();
}

device::RdmaAccess find_rdma_access() try {
  static_cast<void>(find_first());
  return access_of(rdma_facts(kFirst));
} catch (const device::DeviceError&) {
  return device::RdmaAccess::none;
}

}  // namespace gradwire::cuda
