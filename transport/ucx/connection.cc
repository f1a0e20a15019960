#include "transport/ucx/connection.h"

#include <fmt/core.h>

namespace gradwire::transport::ucx {
namespace {

constexpr unsigned kNumberBits = 30;
constexpr unsigned kPortBits = 8;
constexpr unsigned kRankBits = 24;

}  // namespace

Connection::Connection(Worker& worker, const std::string& address, const Greeting& self,
                       const Nonce& nonce_of_peer, const RunKey& key)
    : worker_(worker),
      self_(self.from),
      peer_({.rank = self.to, .via = self.via, .at = self.at}),
      greeting_(proof_of_caller(key, {.greeting = encode(self, key), .challenge = nonce_of_peer})),
      expected_(proof_of_caller(key, {.greeting = encode(answering(self, nonce_of_peer), key),
                                      .challenge = self.nonce})) {
  ensure(self_.index() < (1U << kRankBits) && peer_.rank.index() < (1U << kRankBits) &&
             peer_.via.index() < (1U << kPortBits) && peer_.at.index() < (1U << kPortBits),
         "ranks and ports fit into a tag");
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler = {.cb = &Connection::on_error, .arg = this};
  require(ucp_ep_create(worker_.get(), &params, &endpoint_),
          {.rank = self_, .peer = peer_.rank, .port = peer_.via, .lane = self.lane}, "connecting");

  greeting_in_.receive(worker_.get(), std::as_writable_bytes(std::span(heard_greeting_)),
                       tag(Kind::greeting, peer_.rank, peer_.at, 0));
  farewell_in_.receive(worker_.get(), std::span(heard_).first(1),
                       tag(Kind::farewell, peer_.rank, peer_.at, 0));
  greeting_out_.send(endpoint_, std::as_bytes(std::span(greeting_)),
                     tag(Kind::greeting, self_, peer_.via, 0));
}

void Connection::send(std::span<const std::byte> what, ucs_memory_type_t kind, std::uint64_t number,
                      Request& request) {
  request.send(endpoint_, what, tag(Kind::data, self_, peer_.via, number), kind);
}

void Connection::receive(std::span<std::byte> where, ucs_memory_type_t kind, std::uint64_t number,
                         Request& request) {
  request.receive(worker_.get(), where, tag(Kind::data, peer_.rank, peer_.at, number), kind);
}

void Connection::send_credit(std::uint64_t number, Request& request) {
  request.send(endpoint_, word_, tag(Kind::credit, self_, peer_.via, number));
}

void Connection::receive_credit(std::uint64_t number, Request& request) {
  request.receive(worker_.get(), std::span(heard_).last(1),
                  tag(Kind::credit, peer_.rank, peer_.at, number));
}

bool Connection::greeted() const {
  return greeting_in_.done() && greeting_out_.done() && !gone();
}

bool Connection::gone() const {
  return broken_ != UCS_OK || farewell_in_.done() || greeting_in_.status() != UCS_OK ||
         greeting_out_.status() != UCS_OK || is_impostor();
}

bool Connection::is_impostor() const {
  return greeting_in_.done() && !equal(heard_greeting_, expected_);
}

std::string Connection::reason() const {
  for (const ucs_status_t status : {broken_, greeting_in_.status(), greeting_out_.status()}) {
    if (status != UCS_OK) return fmt::format("UCX: {}", ucs_status_string(status));
  }
  if (is_impostor()) return "who greets as the peer does not have the run's key";
  return "the peer has left";
}

void Connection::leave() {
  if (broken_ != UCS_OK) return;
  farewell_out_.send(endpoint_, word_, tag(Kind::farewell, self_, peer_.via, 0));
  flushed_.flush(endpoint_);
}

void Connection::abandon() {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_EP_CLOSE_FLAG_FORCE;
  void* const closing = ucp_ep_close_nbx(endpoint_, &param);
  if (UCS_PTR_IS_PTR(closing)) ucp_request_free(closing);
}

ucp_tag_t Connection::tag(Kind kind, Rank from, Port via, std::uint64_t number) {
  constexpr std::uint64_t kNumbers = std::uint64_t{1} << kNumberBits;
  std::uint64_t result = static_cast<std::uint64_t>(kind);
  result = result << kRankBits | from.value;
  result = result << kPortBits | via.value;
  return result << kNumberBits | number % kNumbers;
}

void Connection::on_error(void* connection, ucp_ep_h /*endpoint*/, ucs_status_t status) noexcept {
  static_cast<Connection*>(connection)->broken_ = status;
}

}  // namespace gradwire::transport::ucx
