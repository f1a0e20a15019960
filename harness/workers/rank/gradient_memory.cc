#include "harness/workers/rank/gradient_memory.h"

#include <algorithm>

#include "core/elements.h"
#include "transport/device/device.h"
#include "transport/device/pattern.h"

namespace gradwire::workers {
namespace {

namespace device = transport::device;

class HostGradient final : public GradientMemory {
 public:
  HostGradient(Dtype type, std::size_t elements)
      : buffer_(type, elements), gradient_(buffer_.elements()) {}

  void clear(const Extent& extent) override {
    std::ranges::fill(gradient_.bytes(extent), std::byte{0});
  }
  void fill(const Pattern& pattern, Rank rank, const Extent& extent) override {
    pattern.fill(gradient_.part(extent), rank, extent.first);
  }
  void settle() override {}
  [[nodiscard]] std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                        const Extent& extent) override {
    return pattern.find_damaged(gradient_.part(extent), rank, extent.first);
  }
  [[nodiscard]] std::size_t count_wrong(const Pattern& pattern, const Extent& extent) override {
    return pattern.count_wrong(gradient_.part(extent), extent.first);
  }
  [[nodiscard]] double value_at(std::size_t element) override {
    return gradwire::value_at(gradient_, element);
  }
  [[nodiscard]] std::unique_ptr<Synchronizer> connect(const Job& job,
                                                      std::span<const names::BucketAmount> buckets,
                                                      const WorkerContext& context) override {
    return make_synchronizer(job, buckets, gradient_, context);
  }

 private:
  ElementBuffer buffer_;
  Elements gradient_;  ///< all of the buffer
};

class DeviceGradient final : public GradientMemory {
 public:
  DeviceGradient(device::Device& device, Dtype type, std::size_t elements)
      : device_(device), memory_(device.allocate(type, elements)), stream_(device.make_stream(0)) {}

  void clear(const Extent& extent) override { stream_->clear(part(extent)); }
  void fill(const Pattern& pattern, Rank rank, const Extent& extent) override {
    device::fill(*stream_, part(extent), pattern, rank, extent.first);
  }
  void settle() override { stream_->synchronize(); }
  [[nodiscard]] std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                        const Extent& extent) override {
    return device::find_damaged(*stream_, part(extent), pattern, rank, extent.first);
  }
  [[nodiscard]] std::size_t count_wrong(const Pattern& pattern, const Extent& extent) override {
    return device::count_wrong(*stream_, part(extent), pattern, extent.first);
  }
  [[nodiscard]] double value_at(std::size_t element) override {
    const device::DeviceElements one = part({.first = element, .count = 1});
    const device::PinnedMemory copy = device_.allocate_pinned(one.type(), 1);
    stream_->copy_out(copy.elements, one);
    stream_->synchronize();
    return gradwire::value_at(copy.elements, 0);
  }
  [[nodiscard]] std::unique_ptr<Synchronizer> connect(const Job& job,
                                                      std::span<const names::BucketAmount> buckets,
                                                      const WorkerContext& context) override {
    return make_synchronizer(job, buckets, {device_, memory_.elements, context.clock}, context);
  }

 private:
  [[nodiscard]] device::DeviceElements part(const Extent& extent) const {
    return memory_.elements.part(extent);
  }

  device::Device& device_;
  device::DeviceMemory memory_;
  std::unique_ptr<device::Stream> stream_;
};

}  // namespace

std::unique_ptr<GradientMemory> make_gradient_memory(const Job& job, std::size_t elements,
                                                     const WorkerContext& context) {
  if (job.memory == Memory::host) return std::make_unique<HostGradient>(job.type, elements);
  if (context.device == nullptr) throw device::DeviceError("memory: device: there is no device");
  return std::make_unique<DeviceGradient>(*context.device, job.type, elements);
}

}  // namespace gradwire::workers
