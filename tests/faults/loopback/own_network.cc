#include "tests/faults/loopback/own_network.h"

#include <sched.h>
#include <unistd.h>

#include "testbed/netlink.h"
#include "testbed/sysctl.h"

namespace gradwire::faults {

bool enter_own_network() {
  const int also_user = ::geteuid() == 0 ? 0 : CLONE_NEWUSER;
  if (::unshare(CLONE_NEWNET | also_user) != 0) return false;
  testbed::Netlink().set_up("lo", true);
  testbed::try_network_setting("ipv4/tcp_max_tw_buckets", "256");
  testbed::try_network_setting("ipv4/ip_local_port_range", "2000 64999");
  return true;
}

}  // namespace gradwire::faults
