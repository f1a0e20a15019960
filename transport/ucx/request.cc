#include "transport/ucx/request.h"

#include "core/error.h"

namespace gradwire::transport::ucx {

/// Callbacks for UCX: C functions that find the request again.
struct Callbacks {
  static void sent(void* handle, ucs_status_t status, void* request) noexcept {
    ucp_request_free(handle);
    static_cast<Request*>(request)->end(status);
  }
  static void received(void* handle, ucs_status_t status, const ucp_tag_recv_info_t* /*info*/,
                       void* request) noexcept {
    sent(handle, status, request);
  }
};

namespace {

ucp_request_param_t parameters(Request& request) {
  ucp_request_param_t result{};
  result.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  result.cb.send = Callbacks::sent;
  result.user_data = &request;
  return result;
}

/// Parameters of a request whose bytes lie in memory of this kind, so that UCX need not look.
ucp_request_param_t parameters(Request& request, ucs_memory_type_t kind) {
  ucp_request_param_t result = parameters(request);
  result.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMORY_TYPE;
  result.memory_type = kind;
  return result;
}

constexpr ucp_tag_t kWholeTag = ~ucp_tag_t{0};

}  // namespace

ucs_memory_type_t kind_of(device::Reach reach) {
  ensure(reach != device::Reach::streams, "UCX is handed addresses that it can reach");
  return reach == device::Reach::cuda ? UCS_MEMORY_TYPE_CUDA : UCS_MEMORY_TYPE_HOST;
}

void Request::send(ucp_ep_h to, std::span<const std::byte> bytes, ucp_tag_t tag,
                   ucs_memory_type_t kind) {
  ensure(done_, "a request does one thing at a time");
  done_ = false;
  const ucp_request_param_t param = parameters(*this, kind);
  begin(ucp_tag_send_nbx(to, bytes.data(), bytes.size(), tag, &param));
}

void Request::receive(ucp_worker_h worker, std::span<std::byte> bytes, ucp_tag_t tag,
                      ucs_memory_type_t kind) {
  ensure(done_, "a request does one thing at a time");
  done_ = false;
  ucp_request_param_t param = parameters(*this, kind);
  param.cb.recv = Callbacks::received;
  begin(ucp_tag_recv_nbx(worker, bytes.data(), bytes.size(), tag, kWholeTag, &param));
}

void Request::flush(ucp_ep_h endpoint) {
  ensure(done_, "a request does one thing at a time");
  done_ = false;
  const ucp_request_param_t param = parameters(*this);
  begin(ucp_ep_flush_nbx(endpoint, &param));
}

void Request::begin(ucs_status_ptr_t started) {
  if (!UCS_PTR_IS_PTR(started)) end(UCS_PTR_RAW_STATUS(started));
}

void Request::end(ucs_status_t status) noexcept {
  done_ = true;
  status_ = status;
  ended();
}

}  // namespace gradwire::transport::ucx
