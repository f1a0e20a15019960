#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <infiniband/verbs.h>

#include "transport/verbs/device.h"

namespace gradwire::transport::verbs {

/// Completion queue with its channel, for the queue pairs of one lane on one port. One thread uses
/// it. Keeps its device open.
class CompletionQueue {
 public:
  /// Makes a queue for `entries` completions. Throws InputError when the device cannot have as
  /// many, SystemError when it refuses. `vector` spreads lanes over the device's interrupts.
  CompletionQueue(std::shared_ptr<Device> device, std::size_t entries, std::size_t vector);
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  /// The device that it belongs to.
  [[nodiscard]] Device& device() const { return *device_; }
  /// libibverbs' handle, still owned.
  [[nodiscard]] ibv_cq* handle() const { return queue_.get(); }
  /// The number of completions that the queue has room for.
  [[nodiscard]] std::size_t entries() const { return entries_; }

  /// Takes completions into `batch` and returns those taken. Throws SystemError.
  [[nodiscard]] std::span<const ibv_wc> poll(std::span<ibv_wc> batch);

  /// Makes fd() become readable when a completion comes. Only another poll() finds completions that
  /// came before.
  void arm();
  /// Descriptor that is readable when a completion has come since arm().
  [[nodiscard]] int fd() const { return channel_->fd; }
  /// Takes the notification that made fd() readable, if any. Never blocks.
  void disarm();

 private:
  struct Release {
    void operator()(ibv_comp_channel* channel) const { ::ibv_destroy_comp_channel(channel); }
    void operator()(ibv_cq* queue) const { ::ibv_destroy_cq(queue); }
  };

  std::shared_ptr<Device> device_;
  std::size_t entries_;
  std::unique_ptr<ibv_comp_channel, Release> channel_;
  std::unique_ptr<ibv_cq, Release> queue_;
  bool armed_ = false;
};

/// Describes why the work of a completion failed.
[[nodiscard]] std::string describe(const ibv_wc& completion);

}  // namespace gradwire::transport::verbs
