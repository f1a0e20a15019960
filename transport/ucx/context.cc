#include "transport/ucx/context.h"

#include <cstdlib>
#include <mutex>
#include <utility>

#include <fmt/core.h>
#include <ucs/config/global_opts.h>

#include "core/name_table.h"
#include "transport/ucx/gid.h"

namespace gradwire::transport::ucx {
namespace {

constexpr NameTable<Wire, 2> kWires({{"tcp", Wire::tcp}, {"rc", Wire::rc}});

/// Silences UCX's log, which goes to stdout unless told otherwise, and warns there about any
/// unknown UCX_ variable.
void silence_log() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (std::getenv("UCX_LOG_LEVEL") == nullptr) ucs_global_opts_set_value("LOG_LEVEL", "fatal");
  });
}

/// Configuration of UCX that begins with the environment, as all of UCX's do.
class Config {
 public:
  explicit Config(const FabricPlace& place) : place_(place) {
    ucp_config_t* config = nullptr;
    require(ucp_config_read(nullptr, nullptr, &config), place, "reading the configuration");
    config_.reset(config);
  }
  void set(const char* name, const std::string& value) {
    require(ucp_config_modify(config_.get(), name, value.c_str()), place_,
            fmt::format("setting {} to {}", name, value));
  }
  [[nodiscard]] const ucp_config_t* get() const { return config_.get(); }
  /// The place that errors name.
  [[nodiscard]] const FabricPlace& place() const { return place_; }

 private:
  struct Release {
    void operator()(ucp_config_t* config) const { ucp_config_release(config); }
  };
  FabricPlace place_;
  std::unique_ptr<ucp_config_t, Release> config_;
};

/// Configures these transports of UCX, and with CUDA the copies between its memory and the host's.
/// Not cuda_ipc, which would bypass the port between ranks of one host.
void use(Config& config, std::string transports, const ContextOptions& options) {
  if (options.cuda) transports += ",cuda_copy";
  config.set("TLS", transports);
}

void pin_to_interface(Config& config, const PortBinding& port, const ContextOptions& options) {
  // Only eager messages: UCX 1.13 aborts the process (tcp_ep.c, PUT_TX_WAITING_ACK) when a
  // connection goes down with a rendezvous under way.
  config.set("RNDV_THRESH", "inf");
  use(config, "tcp,self", options);
  config.set("NET_DEVICES", port.device);
}

void pin_to_rdma(Config& config, const PortBinding& port, const ContextOptions& options,
                 const FabricPlace& place) {
  const auto gid = link_local_gid(port.rdma, port.device);
  if (!gid) {
    throw FabricError(FabricFailure::refused, place,
                      fmt::format("RDMA device '{}' on {} has no link-local RoCE v2 GID", port.rdma,
                                  port.device));
  }
  // Connections are set up over datagrams; without "ud_verbs:aux" there would be none. The names
  // of what belongs to UCX's lower layer lack the prefix that they have in the environment.
  use(config, "rc_verbs,ud_verbs:aux,self", options);
  config.set("NET_DEVICES", port.rdma + ":1");
  config.set("GID_INDEX", std::to_string(*gid));
  // UCX 1.13 aborts the process (ucp_request.c) when a connection's datagrams stay unanswered for
  // so long while it is being set up: who connects gives up before.
  config.set("UD_TIMEOUT", "3600s");
  // Each worker posts as many buffers of 8 KiB, twice (connections and datagrams): UCX's 4096 would
  // be 64 MiB for every lane and port. The window for eager fragments must be smaller.
  config.set("RC_RX_QUEUE_LEN", "256");
  config.set("UD_RX_QUEUE_LEN", "256");
  config.set("RC_FC_WND_SIZE", "64");
  // UCX 1.13 aborts the process (ib_device.c) when Soft-RoCE reports the end of a queue pair twice.
  // What these events would tell, failed requests tell too.
  config.set("ASYNC_EVENTS", "n");
  config.set("RC_TIMEOUT", fmt::format("{}us", options.acknowledgement.count() / 1000));
}

OwnContext make_context(const Config& config, const std::string& what) {
  const ucp_params_t params{
      .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
      .features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP,
      .mt_workers_shared = 1};
  ucp_context_h context = nullptr;
  require(ucp_init(&params, config.get(), &context), config.place(), what);
  return OwnContext(context);
}

/// Whether UCX was built with CUDA, finds a GPU, and may use it.
bool takes_cuda(ucp_context_h context) {
  ucp_context_attr_t attributes{};
  attributes.field_mask = UCP_ATTR_FIELD_MEMORY_TYPES;
  if (ucp_context_query(context, &attributes) != UCS_OK) return false;
  return (attributes.memory_types & UCS_BIT(UCS_MEMORY_TYPE_CUDA)) != 0;
}

}  // namespace

void require(ucs_status_t status, const FabricPlace& place, const std::string& what) {
  if (status == UCS_OK) return;
  throw FabricError(FabricFailure::refused, place,
                    fmt::format("UCX: {}: {}", what, ucs_status_string(status)));
}

std::string to_string(Wire wire) {
  return std::string(kWires.name_of(wire));
}

Context::Context(const PortBinding& port, const ContextOptions& options, const FabricPlace& place) {
  silence_log();
  Config config(place);
  if (options.wire == Wire::rc) {
    pin_to_rdma(config, port, options, place);
  } else {
    pin_to_interface(config, port, options);
  }
  config.set("MAX_EAGER_RAILS", "1");
  config.set("MAX_RNDV_RAILS", "1");

  context_ = make_context(
      config, fmt::format("using {}", options.wire == Wire::rc ? port.rdma : port.device));
  if (options.cuda && !takes_cuda(get())) {
    throw FabricError(FabricFailure::refused, place, "UCX does not take CUDA's memory");
  }
}

void Context::remember(std::span<std::byte> memory, ucs_memory_type_t kind,
                       const FabricPlace& place) {
  if (!memory.empty()) registrations_.emplace_back(get(), memory, kind, place);
}

bool takes_cuda_memory() try {
  silence_log();
  Config config({});
  use(config, "self", {.cuda = true});
  return takes_cuda(make_context(config, "asking for CUDA").get());
} catch (const FabricError&) {
  return false;
}

Registration::Registration(ucp_context_h context, std::span<std::byte> memory,
                           ucs_memory_type_t kind, const FabricPlace& place)
    : memory_(nullptr, Unmap{context}) {
  const ucp_mem_map_params_t params{.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                                                  UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                                                  UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE,
                                    .address = memory.data(),
                                    .length = memory.size(),
                                    .memory_type = kind};
  ucp_mem_h handle = nullptr;
  require(ucp_mem_map(context, &params, &handle), place, "registering memory");
  memory_.reset(handle);
}

Worker::Worker(std::shared_ptr<const Context> context, const FabricPlace& place)
    : context_(std::move(context)) {
  // Serialized, not single: who connects is another thread than the lane that goes on.
  const ucp_worker_params_t params{.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                   .thread_mode = UCS_THREAD_MODE_SERIALIZED};
  ucp_worker_h worker = nullptr;
  require(ucp_worker_create(context_->get(), &params, &worker), place, "making a worker");
  worker_.reset(worker);
  require(ucp_worker_get_efd(worker, &event_), place, "waiting for events");
}

bool Worker::arm() {
  // What completes between the last progress and this call raises no event on devices that only
  // announce what completes after the request, as libibverbs defines it. UCX counts on others,
  // which are told how far the queue was read, and does not look again.
  return ucp_worker_arm(worker_.get()) == UCS_OK && !progress();
}

std::string Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t length = 0;
  const ucs_status_t status = ucp_worker_get_address(worker_.get(), &address, &length);
  ensure(status == UCS_OK, "a UCX worker has an address");
  std::string bytes(reinterpret_cast<const char*>(address), length);
  ucp_worker_release_address(worker_.get(), address);
  return bytes;
}

}  // namespace gradwire::transport::ucx
