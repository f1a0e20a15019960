#include "transport/verbs/device.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <net/if.h>
#include <sys/eventfd.h>

#include "core/error.h"
#include "core/units.h"
#include "transport/verbs/gid.h"

namespace gradwire::transport::verbs {
namespace {

/// List of the RDMA devices that this process may see.
class DeviceList {
 public:
  DeviceList() : devices_(::ibv_get_device_list(&count_)) {
    // Without the kernel's RDMA subsystem there is no list; that is the same as an empty one.
    if (devices_ == nullptr && errno != ENOSYS) throw SystemError("ibv_get_device_list", errno);
  }
  ~DeviceList() {
    if (devices_ != nullptr) ::ibv_free_device_list(devices_);
  }
  DeviceList(const DeviceList&) = delete;
  DeviceList& operator=(const DeviceList&) = delete;

  [[nodiscard]] std::span<ibv_device* const> all() const {
    return {devices_, devices_ == nullptr ? 0 : static_cast<std::size_t>(count_)};
  }

 private:
  int count_ = 0;
  ibv_device** devices_;
};

ibv_context* open(const PortBinding& binding) {
  if (binding.rdma.empty()) {
    throw InputError(fmt::format("the port on {} has no RDMA device", binding.device));
  }
  const DeviceList devices;
  std::vector<std::string> names;
  for (ibv_device* device : devices.all()) {
    names.emplace_back(::ibv_get_device_name(device));
    if (names.back() != binding.rdma) continue;
    ibv_context* context = ::ibv_open_device(device);
    if (context == nullptr)
      throw SystemError(fmt::format("open RDMA device {}", binding.rdma), errno);
    return context;
  }
  throw InputError(fmt::format("there is no RDMA device '{}'; there are: {}", binding.rdma,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

ibv_gid_entry resolve(ibv_context* context, const PortBinding& binding) {
  constexpr std::size_t kMostEntries = 1024;  // the kernel takes less than 64 KiB
  const unsigned interface = ::if_nametoindex(binding.device.c_str());
  if (interface == 0) {
    throw InputError(fmt::format("there is no network interface '{}'", binding.device));
  }
  std::vector<ibv_gid_entry> table(kMostEntries);
  const ssize_t entries = ::ibv_query_gid_table(context, table.data(), table.size(), 0);
  if (entries < 0) {
    throw SystemError(fmt::format("GID table of {}", binding.rdma), static_cast<int>(-entries));
  }
  table.resize(static_cast<std::size_t>(entries));
  if (const auto found = find_gid(table, mapped_gid(binding.address), interface)) return *found;
  std::vector<std::string> lines;
  for (const ibv_gid_entry& entry : table) lines.push_back(to_string(entry));
  throw InputError(
      fmt::format("RDMA device {} has no RoCE v2 GID for {} on {} (interface {}); it has: {}",
                  binding.rdma, binding.address, binding.device, interface,
                  lines.empty() ? "none" : fmt::format("{}", fmt::join(lines, "; "))));
}

/// Attributes of the port. Throws unless it is up.
ibv_port_attr active_port(ibv_context* context, const PortBinding& binding, std::uint8_t port) {
  ibv_port_attr attributes{};
  if (const int error = ibv_query_port(context, port, &attributes)) {
    throw SystemError(fmt::format("query port {} of {}", port, binding.rdma), error);
  }
  if (attributes.state != IBV_PORT_ACTIVE) {
    throw InputError(fmt::format("port {} of RDMA device {} is not active: {}", port, binding.rdma,
                                 ::ibv_port_state_str(attributes.state)));
  }
  return attributes;
}

/// Registers memory by its addresses, or as it was exported; null, and errno, where the device
/// refuses.
ibv_mr* register_memory(ibv_pd* domain, std::span<std::byte> memory,
                        const std::optional<transport::device::DmaBuf>& exported) {
  constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  if (!exported) return ::ibv_reg_mr(domain, memory.data(), memory.size(), kAccess);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return ::ibv_reg_dmabuf_mr(domain, exported->offset, memory.size(), address, exported->file.get(),
                             kAccess);
}

}  // namespace

Device::Device(const PortBinding& binding)
    : name_(binding.rdma),
      context_(open(binding)),
      gid_(resolve(context_.get(), binding)),
      attributes_(active_port(context_.get(), binding, port())),
      domain_(::ibv_alloc_pd(context_.get())),
      alarm_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  if (!domain_) throw SystemError(fmt::format("protection domain on {}", name_), errno);
  if (const int error = ::ibv_query_device(context_.get(), &limits_)) {
    throw SystemError(fmt::format("query RDMA device {}", name_), error);
  }
  const int flags = checked(::fcntl(event_fd(), F_GETFL), "fcntl");
  checked(::fcntl(event_fd(), F_SETFL, flags | O_NONBLOCK), "fcntl");
}

void Device::take_events() {
  const std::scoped_lock lock(mutex_);
  ibv_async_event event{};
  while (::ibv_get_async_event(context_.get(), &event) == 0) {
    note(event);
    ::ibv_ack_async_event(&event);
  }
}

void Device::note(const ibv_async_event& event) {
  AsyncFailure failure{.what = fmt::format("RDMA device {} reports: {}", name_,
                                           ::ibv_event_type_str(event.event_type))};
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
      failure.qp_number = event.element.qp->qp_num;
      break;
    case IBV_EVENT_PORT_ERR:
      if (event.element.port_num != port()) return;
      break;
    case IBV_EVENT_CQ_ERR:
    case IBV_EVENT_DEVICE_FATAL:
      break;
    default:
      return;
  }
  failures_.push_back(std::move(failure));
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(alarm_.get(), &one, sizeof one);
}

std::vector<AsyncFailure> Device::failures() const {
  const std::scoped_lock lock(mutex_);
  return failures_;
}

MemoryRegion::MemoryRegion(std::shared_ptr<Device> device, std::span<std::byte> memory,
                           const std::optional<transport::device::DmaBuf>& exported)
    : device_(std::move(device)),
      address_(reinterpret_cast<std::uintptr_t>(memory.data())),
      region_(register_memory(device_->protection_domain(), memory, exported)) {
  if (!region_) {
    throw SystemError(fmt::format("register {} with RDMA device {} ({})",
                                  format_bytes(static_cast<double>(memory.size())), device_->name(),
                                  exported ? "it may not import memory of GPUs (dma-buf)"
                                           : "locked memory may be limited: ulimit -l; of a GPU, "
                                             "nvidia-peermem may not serve this device"),
                      errno);
  }
}

}  // namespace gradwire::transport::verbs
