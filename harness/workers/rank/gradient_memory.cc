#include "harness/workers/rank/gradient_memory.h"

#include <optional>
#include <utility>

#include "core/elements.h"
#include "harness/workers/rank/shared_gradients.h"
#include "transport/device/device.h"
#include "transport/device/pattern.h"

namespace gradwire::workers {
namespace {

namespace device = transport::device;

class HostGradient final : public GradientMemory {
 public:
  HostGradient(std::shared_ptr<ElementBuffer> memory, std::size_t elements)
      : memory_(std::move(memory)), elements_(memory_->elements().part({.count = elements})) {}

  [[nodiscard]] const RankMemory& data() const override { return data_; }
  [[nodiscard]] std::unique_ptr<Synchronizer> connect(
      const Job& job, std::span<const algorithms::BucketAmount> buckets,
      const WorkerContext& context) override {
    return make_synchronizer(job, buckets, elements_, context);
  }

 private:
  std::shared_ptr<ElementBuffer> memory_;
  Elements elements_;
  HostMemory data_{elements_};
};

/// Data in the memory of a device.
class DeviceData final : public RankMemory {
 public:
  DeviceData(device::Device& device, device::DeviceElements elements)
      : device_(device), elements_(elements), stream_(device.make_stream(0)) {}

  void clear(const Extent& extent) const override { stream_->clear(elements_.part(extent)); }
  void fill(const Pattern& pattern, Rank rank, const Extent& extent) const override {
    device::fill(*stream_, elements_.part(extent), pattern, rank, extent.first);
  }
  void settle() const override { stream_->synchronize(); }
  [[nodiscard]] std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                        const Extent& extent) const override {
    return device::find_damaged(*stream_, elements_.part(extent), pattern, rank, extent.first);
  }
  [[nodiscard]] std::size_t count_wrong(const Pattern& pattern,
                                        const Extent& extent) const override {
    return device::count_wrong(*stream_, elements_.part(extent), pattern, extent.first);
  }
  [[nodiscard]] double value_at(std::size_t element) const override {
    const device::DeviceElements one = elements_.part({.first = element, .count = 1});
    const device::PinnedMemory copy = device_.allocate_pinned(one.type(), 1);
    stream_->copy_out(copy.elements, one);
    stream_->synchronize();
    return gradwire::value_at(copy.elements, 0);
  }

 private:
  device::Device& device_;
  device::DeviceElements elements_;
  std::unique_ptr<device::Stream> stream_;
};

class DeviceGradient final : public GradientMemory {
 public:
  DeviceGradient(device::Device& device, device::DeviceMemory memory, std::size_t elements)
      : device_(device),
        memory_(std::move(memory)),
        elements_(memory_.elements.part({.count = elements})) {}

  [[nodiscard]] const RankMemory& data() const override { return data_; }
  [[nodiscard]] std::unique_ptr<Synchronizer> connect(
      const Job& job, std::span<const algorithms::BucketAmount> buckets,
      const WorkerContext& context) override {
    return make_synchronizer(job, buckets, {device_, elements_, context.clock}, context);
  }

 private:
  device::Device& device_;
  device::DeviceMemory memory_;
  device::DeviceElements elements_;
  DeviceData data_{device_, elements_};
};

}  // namespace

std::unique_ptr<GradientMemory> make_gradient_memory(const Job& job, std::size_t elements,
                                                     const WorkerContext& context) {
  if (job.memory == Memory::host) {
    return std::make_unique<HostGradient>(make_host_memory(job.task.type, elements, context),
                                          elements);
  }
  if (context.device == nullptr) throw device::DeviceError("memory: device: there is no device");
  device::Device& device = *context.device;
  device::DeviceMemory memory = context.shared != nullptr
                                    ? context.shared->on_device(device, job.task.type, elements)
                                    : device.allocate(job.task.type, elements);
  return std::make_unique<DeviceGradient>(device, std::move(memory), elements);
}

std::shared_ptr<ElementBuffer> make_host_memory(Dtype type, std::size_t elements,
                                                const WorkerContext& context) {
  if (context.shared != nullptr) return context.shared->on_host(type, elements);
  return std::make_shared<ElementBuffer>(type, elements);
}

}  // namespace gradwire::workers
