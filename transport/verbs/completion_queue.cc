#include "transport/verbs/completion_queue.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::transport::verbs {

CompletionQueue::CompletionQueue(std::shared_ptr<Device> device, std::size_t entries,
                                 std::size_t vector)
    : device_(std::move(device)), entries_(entries) {
  const auto most = static_cast<std::size_t>(device_->limits().max_cqe);
  if (entries > most) {
    throw InputError(fmt::format(
        "the channels of a lane on RDMA device {} need {} completion entries; it has at most {}",
        device_->name(), entries, most));
  }
  ibv_context* context = device_->context();
  channel_.reset(::ibv_create_comp_channel(context));
  if (!channel_) throw SystemError(fmt::format("completion channel on {}", device_->name()), errno);
  const int flags = checked(::fcntl(fd(), F_GETFL), "fcntl");
  checked(::fcntl(fd(), F_SETFL, flags | O_NONBLOCK), "fcntl");
  const auto vectors = static_cast<std::size_t>(std::max(context->num_comp_vectors, 1));
  queue_.reset(::ibv_create_cq(context, static_cast<int>(entries), nullptr, channel_.get(),
                               static_cast<int>(vector % vectors)));
  if (!queue_) {
    throw SystemError(fmt::format("completion queue of {} on {}", entries, device_->name()), errno);
  }
}

std::span<const ibv_wc> CompletionQueue::poll(std::span<ibv_wc> batch) {
  const int taken = ::ibv_poll_cq(queue_.get(), static_cast<int>(batch.size()), batch.data());
  if (taken < 0) throw SystemError(fmt::format("poll completions of {}", device_->name()), EIO);
  return batch.first(static_cast<std::size_t>(taken));
}

void CompletionQueue::arm() {
  if (armed_) return;
  if (const int error = ::ibv_req_notify_cq(queue_.get(), 0)) {
    throw SystemError(fmt::format("ask {} for a notification", device_->name()), error);
  }
  armed_ = true;
}

void CompletionQueue::disarm() {
  ibv_cq* queue = nullptr;
  void* context = nullptr;
  if (::ibv_get_cq_event(channel_.get(), &queue, &context) != 0) return;
  ::ibv_ack_cq_events(queue, 1);
  armed_ = false;
}

std::string describe(const ibv_wc& completion) {
  const char* status = ::ibv_wc_status_str(completion.status);
  const std::string code = fmt::format("{} (vendor error {:#x})", status, completion.vendor_err);
  if (completion.status == IBV_WC_RETRY_EXC_ERR) {
    return "the peer does not acknowledge: " + code;
  }
  return "the connection failed: " + code;
}

}  // namespace gradwire::transport::verbs
