#include "transport/verbs/queue_pair.h"

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include <arpa/inet.h>
#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

/// Places for data beyond the flow's: a probe and the last message.
constexpr std::size_t kKeptSends = 2;
/// Receives of data beyond the flow's: the peer's last message.
constexpr std::size_t kKeptReceives = 1;
/// Interval of grants that complete: one in this many, so that there is always one whose completion
/// makes room.
constexpr std::size_t kGrantsPerCompletion = kLeastWindow;

// A window of segments, and a window of grants, in either direction (flow_control.h).
std::size_t kept_sends(QueuePair::Use use) {
  return use == QueuePair::Use::data ? kKeptSends : 0;
}
std::size_t send_places(QueuePair::Use use, std::size_t window) {
  return window + kept_sends(use);
}
std::size_t receive_places(QueuePair::Use use, std::size_t window) {
  return window + (use == QueuePair::Use::data ? kKeptReceives : 0);
}

std::uint32_t random_packet_number() {
  constexpr std::uint32_t kPacketNumberMask = 0xffffff;
  return std::random_device{}() & kPacketNumberMask;
}

ibv_qp* create(const CompletionQueue& completions, QueuePair::Use use, std::size_t window) {
  const Device& device = completions.device();
  const auto most = static_cast<std::size_t>(device.limits().max_qp_wr);
  if (send_places(use, window) > most) {
    throw InputError(fmt::format("a window of {} segments is more than RDMA device {} can queue",
                                 window, device.name()));
  }
  ibv_qp_init_attr attributes{};
  attributes.send_cq = completions.handle();
  attributes.recv_cq = completions.handle();
  attributes.cap.max_send_wr = static_cast<std::uint32_t>(send_places(use, window));
  attributes.cap.max_recv_wr = static_cast<std::uint32_t>(receive_places(use, window));
  attributes.cap.max_send_sge = 1;
  attributes.cap.max_recv_sge = 1;
  attributes.qp_type = IBV_QPT_RC;
  ibv_qp* pair = ::ibv_create_qp(device.protection_domain(), &attributes);
  if (pair == nullptr) throw SystemError(fmt::format("queue pair on {}", device.name()), errno);
  return pair;
}

void modify(ibv_qp* pair, ibv_qp_attr& attributes, int mask, const char* state) {
  if (const int error = ::ibv_modify_qp(pair, &attributes, mask)) {
    throw SystemError(fmt::format("bring queue pair {} to state {}", pair->qp_num, state), error);
  }
}

}  // namespace

std::uint64_t encode(const Work& work) {
  return (std::uint64_t{static_cast<std::uint8_t>(work.kind)} << 56) |
         (std::uint64_t{work.channel} << 32) | work.number;
}

Work decode_work(std::uint64_t id) {
  return {.kind = static_cast<Work::Kind>(id >> 56),
          .channel = static_cast<std::uint32_t>(id >> 32) & 0xffffffU,
          .number = static_cast<std::uint32_t>(id)};
}

QueuePair::QueuePair(std::shared_ptr<CompletionQueue> completions, Use use, std::size_t channel,
                     std::size_t window)
    : completions_(std::move(completions)),
      use_(use),
      channel_(static_cast<std::uint32_t>(channel)),
      send_places_(send_places(use, window)),
      pair_(create(*completions_, use, window)) {
  address_ = {.number = pair_->qp_num,
              .first_packet = random_packet_number(),
              .mtu = device().mtu(),
              .gid = device().gid().gid};
  prepare();
  for (std::size_t i = 0; i < receive_places(use, window); ++i) post_receive();
}

std::size_t QueuePair::completions(std::size_t window) {
  std::size_t sum = 0;
  for (const Use use : {Use::data, Use::grants}) {
    sum += send_places(use, window) + receive_places(use, window);
  }
  return sum;
}

void QueuePair::prepare() {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = device().port();
  attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  modify(pair_.get(), attributes,
         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
}

void QueuePair::connect(const QueuePairAddress& peer, const PathOptions& options) {
  constexpr std::uint8_t kHops = 64;
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = std::min(address_.mtu, peer.mtu);
  attributes.dest_qp_num = peer.number;
  attributes.rq_psn = peer.first_packet;
  attributes.max_dest_rd_atomic = 1;
  attributes.min_rnr_timer = 1;
  attributes.ah_attr.is_global = 1;
  attributes.ah_attr.grh.dgid = peer.gid;
  attributes.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(device().gid().gid_index);
  attributes.ah_attr.grh.hop_limit = kHops;
  attributes.ah_attr.grh.traffic_class = options.traffic_class;
  attributes.ah_attr.port_num = device().port();
  modify(pair_.get(), attributes,
         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
         "RTR");
  attributes.qp_state = IBV_QPS_RTS;
  attributes.timeout = options.ack_timeout;
  attributes.retry_cnt = options.retry_count;
  attributes.rnr_retry = 0;  // a receive is always posted: that none is there would be a bug
  attributes.sq_psn = address_.first_packet;
  attributes.max_rd_atomic = 1;
  modify(pair_.get(), attributes,
         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
             IBV_QP_MAX_QP_RD_ATOMIC,
         "RTS");
}

bool QueuePair::has_room() const {
  return under_way() < send_places_ - kept_sends(use_);
}

void QueuePair::write(const Write& write) {
  ensure(use_ == Use::data && has_room(), "a write has a place in the send queue of data");
  ibv_sge memory{.addr = write.from, .length = write.bytes, .lkey = write.local_key};
  ibv_send_wr request{};
  request.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
  request.sg_list = &memory;
  request.num_sge = 1;
  request.imm_data = htonl(encode(write.message));
  request.wr.rdma.remote_addr = write.to;
  request.wr.rdma.rkey = write.remote_key;
  post(request, Work::Kind::data, true);
}

void QueuePair::send_grant(const Message& message) {
  ensure(use_ == Use::grants && has_room(), "a grant has a place in the send queue of grants");
  post_message(message, Work::Kind::grant, unsignalled_ + 1 == kGrantsPerCompletion);
}

void QueuePair::probe() {
  ibv_send_wr request{};
  request.opcode = IBV_WR_RDMA_WRITE;
  post(request, Work::Kind::probe, true);
}

void QueuePair::send_closing() {
  post_message({.kind = Message::Kind::closing}, Work::Kind::closing, true);
}

void QueuePair::retire(const Work& work) {
  retired_ = work.number + 1;
}

void QueuePair::post_receive() {
  ibv_recv_wr request{};
  const auto kind = use_ == Use::data ? Work::Kind::receive : Work::Kind::receive_grant;
  request.wr_id = encode(Work{.kind = kind, .channel = channel_});
  ibv_recv_wr* bad = nullptr;
  if (const int error = ::ibv_post_recv(pair_.get(), &request, &bad)) {
    throw SystemError(fmt::format("post a receive to queue pair {}", address_.number), error);
  }
}

void QueuePair::post_message(const Message& message, Work::Kind kind, bool signalled) {
  ibv_send_wr request{};
  request.opcode = IBV_WR_SEND_WITH_IMM;
  request.imm_data = htonl(encode(message));
  post(request, kind, signalled);
}

void QueuePair::post(ibv_send_wr& request, Work::Kind kind, bool signalled) {
  ensure(under_way() < send_places_, "a send has a place in the send queue");
  request.wr_id = encode(Work{.kind = kind, .channel = channel_, .number = given_});
  if (signalled) request.send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* bad = nullptr;
  if (const int error = ::ibv_post_send(pair_.get(), &request, &bad)) {
    throw SystemError(fmt::format("post to queue pair {}", address_.number), error);
  }
  ++given_;
  unsignalled_ = signalled ? 0 : unsignalled_ + 1;
}

}  // namespace gradwire::transport::verbs
