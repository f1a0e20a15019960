#include "testbed/netlink_message.h"

#include <cerrno>
#include <new>

#include <fmt/core.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>

namespace gradwire::testbed {
namespace {

/// The errno for those of libnl's error codes that a user can make sense of.
int errno_of(int libnl_error) {
  switch (-libnl_error) {
    case NLE_EXIST:
      return EEXIST;
    case NLE_PERM:
      return EPERM;
    case NLE_NOACCESS:
      return EACCES;
    case NLE_NODEV:
      return ENODEV;
    case NLE_OBJ_NOTFOUND:
      return ENOENT;
    case NLE_OPNOTSUPP:
      return EOPNOTSUPP;
    case NLE_PROTO_MISMATCH:
      return EPROTONOSUPPORT;
    case NLE_NOMEM:
      return ENOMEM;
    default:
      return EINVAL;
  }
}

}  // namespace

void checked_nl(int result, const std::string& operation) {
  if (result < 0) {
    throw SystemError(fmt::format("{} ({})", operation, nl_geterror(result)), errno_of(result));
  }
}

void connect_netlink(nl_sock* socket, int protocol, const std::string& what) {
  errno = 0;
  const int result = nl_connect(socket, protocol);
  // libnl has no code of its own for most of what may be wrong.
  if (result == -NLE_FAILURE && errno != 0) throw SystemError(what, errno);
  checked_nl(result, what);
}

NetlinkMessage::NetlinkMessage(int type, int flags)
    : message_(nlmsg_alloc_simple(type, flags | NLM_F_ACK)) {
  if (message_ == nullptr) throw std::bad_alloc();
}

void NetlinkMessage::send(nl_sock* socket, const std::string& operation) {
  nlmsg_get(message_);  // nl_send_sync drops a reference
  checked_nl(nl_send_sync(socket, message_), operation);
}

}  // namespace gradwire::testbed
