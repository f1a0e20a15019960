#include "testbed/rdma_link.h"

#include <cerrno>
#include <fstream>
#include <new>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <rdma/rdma_netlink.h>

#include "core/error.h"
#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "testbed/netlink_message.h"
#include "testbed/sandbox.h"

namespace gradwire::testbed {
namespace {

constexpr int request(int command) {
  return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
}

/// Search in the kernel's list of devices.
struct Search {
  const std::string& name;
  std::optional<std::uint32_t> index;
};

int compare(nl_msg* message, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  nlmsghdr* header = nlmsg_hdr(message);
  const nlattr* name = nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_NAME);
  const nlattr* index = nlmsg_find_attr(header, 0, RDMA_NLDEV_ATTR_DEV_INDEX);
  if (name != nullptr && index != nullptr && search.name == nla_get_string(name)) {
    search.index = nla_get_u32(index);
  }
  return NL_OK;
}

/// The kernel's number of a device; nothing when no device has that name.
std::optional<std::uint32_t> index_of(nl_sock* socket, const std::string& device) {
  Search search{.name = device, .index = {}};
  checked_nl(nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, compare, &search),
             "set a netlink callback");
  checked_nl(nl_send_simple(socket, request(RDMA_NLDEV_CMD_GET), NLM_F_DUMP, nullptr, 0),
             "ask for the RDMA devices");
  const int received = nl_recvmsgs_default(socket);
  checked_nl(nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_DEFAULT, nullptr, nullptr),
             "set a netlink callback");
  checked_nl(received, "list the RDMA devices");
  return search.index;
}

void create(nl_sock* socket, const std::string& device, const std::string& interface) {
  NetlinkMessage message(request(RDMA_NLDEV_CMD_NEWLINK), 0);
  message.put_text(RDMA_NLDEV_ATTR_DEV_NAME, device);
  message.put_text(RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
  message.put_text(RDMA_NLDEV_ATTR_NDEV_NAME, interface);
  message.send(socket, fmt::format("create RDMA device {} on {}", device, interface));
}

/// The port on which a namespace receives RoCE, as the kernel lists it.
constexpr const char* kRocePort = ":12B7 ";

/// Whether RoCE packets arrive in this namespace. Before Linux 7.2 a device could be made on a
/// namespace's interface, but its socket was one of the initial namespace, and nothing arrived.
bool receives_roce_here() {
  std::ifstream sockets("/proc/thread-self/net/udp");
  for (std::string line; std::getline(sockets, line);) {
    if (line.find(kRocePort) != std::string::npos) return true;
  }
  return false;
}

/// Checks that a device made in a namespace works there. Throws SystemError.
void probe() {
  const NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  Netlink netlink;
  netlink.create_veth({space.fd(), "a"}, {space.fd(), "b"}, 1500);
  netlink.set_up("a", true);
  const RdmaLink link("probe", "a");
  if (!receives_roce_here()) throw SystemError("receive RoCE in a network namespace", ENOTSUP);
}

}  // namespace

void RdmaLink::Close::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

RdmaLink::RdmaLink(const std::string& name, const std::string& interface)
    : socket_(nl_socket_alloc()), device_(name) {
  if (!socket_) throw std::bad_alloc();
  connect_netlink(socket_.get(), NETLINK_RDMA, "open an RDMA netlink socket for " + interface);
  for (std::size_t taken = 1;; ++taken) {
    try {
      create(socket_.get(), device_, interface);
      break;
    } catch (const SystemError&) {
      // The kernel's answer to a name in use is the same as to some other things.
      if (!index_of(socket_.get(), device_)) throw;
    }
    device_ = fmt::format("{}-{}", name, taken);
  }
  index_ = index_of(socket_.get(), device_).value();
}

RdmaLink::RdmaLink(RdmaLink&& other) noexcept = default;

RdmaLink::~RdmaLink() {
  if (!socket_) return;
  try {
    NetlinkMessage message(request(RDMA_NLDEV_CMD_DELLINK), 0);
    message.put(RDMA_NLDEV_ATTR_DEV_INDEX, index_);
    message.send(socket_.get(), "remove RDMA device " + device_);
  } catch (const std::exception&) {
    // It went with its interface.
  }
}

bool rxe_available() {
  return works_in_sandbox(probe, {.machine_root = true});
}

}  // namespace gradwire::testbed
