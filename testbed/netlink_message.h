#pragma once

#include <string>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "core/error.h"

struct nl_sock;

namespace gradwire::testbed {

/// Throws SystemError with the operation when a call of libnl has failed (result < 0).
void checked_nl(int result, const std::string& operation);
/// Connects a socket to a part of the kernel, such as NETLINK_ROUTE. Throws SystemError with
/// `what`, and with the limit if one was reached.
void connect_netlink(nl_sock* socket, int protocol, const std::string& what);

/// Request to the kernel, built attribute by attribute. Throws InternalError for attributes that do
/// not fit.
class NetlinkMessage {
 public:
  /// Begins a request; `type` and `flags` are those of nlmsghdr, without NLM_F_ACK, which it adds.
  /// Throws bad_alloc.
  NetlinkMessage(int type, int flags);
  ~NetlinkMessage() { nlmsg_free(message_); }
  NetlinkMessage(const NetlinkMessage&) = delete;
  NetlinkMessage& operator=(const NetlinkMessage&) = delete;

  /// Appends the header of the family, such as ifinfomsg. Must come before all attributes.
  template <class Header>
  void header(const Header& header) {
    fits(nlmsg_append(message_, const_cast<Header*>(&header), sizeof header, NLMSG_ALIGNTO));
  }
  /// Appends an attribute with a value.
  template <class Value>
  void put(int attribute, const Value& value) {
    fits(nla_put(message_, attribute, sizeof value, &value));
  }
  /// Appends an attribute with a text.
  void put_text(int attribute, const std::string& text) {
    fits(nla_put_string(message_, attribute, text.c_str()));
  }
  /// Appends an attribute that holds the attributes that `fill` appends.
  template <class Fill>
  void nest(int attribute, Fill fill) {
    nlattr* start = nla_nest_start(message_, attribute);
    ensure(start != nullptr, "an attribute fits into a netlink message");
    fill();
    nla_nest_end(message_, start);
  }
  /// Sends the request and blocks until the kernel has answered. Throws SystemError when it
  /// refuses.
  void send(nl_sock* socket, const std::string& operation);

 private:
  static void fits(int result) { ensure(result >= 0, "an attribute fits into a netlink message"); }
  nl_msg* message_;
};

}  // namespace gradwire::testbed
