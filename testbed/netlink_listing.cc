#include "testbed/netlink_listing.h"

#include <netlink/route/link.h>
#include <netlink/route/qdisc.h>
#include <sys/socket.h>

#include "testbed/netlink_message.h"

namespace gradwire::testbed {

Listing list_links(nl_sock* socket) {
  nl_cache* links = nullptr;
  checked_nl(rtnl_link_alloc_cache(socket, AF_UNSPEC, &links), "list interfaces");
  return Listing(links);
}

Listing list_queues(nl_sock* socket) {
  nl_cache* queues = nullptr;
  checked_nl(rtnl_qdisc_alloc_cache(socket, &queues), "list queueing disciplines");
  return Listing(queues);
}

}  // namespace gradwire::testbed
