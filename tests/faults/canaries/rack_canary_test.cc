// A port under another's name on a host of a run's inventory.
#include <gmock/gmock.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "harness/commands/exit_code.h"
#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "tests/harness/run/hosts/rack.h"

namespace gradwire::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;

void rename(const std::string& from, const std::string& to) {
  const FileDescriptor socket(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
  ifreq request{};
  from.copy(request.ifr_name, IFNAMSIZ - 1);
  to.copy(request.ifr_newname, IFNAMSIZ - 1);
  checked(::ioctl(socket.get(), SIOCSIFNAME, &request), "rename " + from);
}

/// Gives two interfaces each other's name.
void swap_names(int space, const std::string& one, const std::string& other) {
  const testbed::InNamespace inside(space);
  testbed::Netlink netlink;
  for (const std::string& name : {one, other}) netlink.set_up(name, false);
  rename(one, "between");
  rename(other, one);
  rename("between", other);
  for (const std::string& name : {one, other}) netlink.set_up(name, true);
}

TEST(RackCanary, AMislabelledPortIsFound) {
  ON_A_RACK({
    const Rack rack;
    swap_names(rack.namespace_of(3), "p0", "p1");
    EXPECT_EQ(rack.run(), commands::kExitPreflight) << rack.errors();
    EXPECT_THAT(rack.errors(), AllOf(ContainsRegex("port 0: has its address +yes +yes +0-2\n"),
                                     ContainsRegex("port 1: has its address +yes +yes +0-2\n"),
                                     ContainsRegex("  no +3 +<- odd\n")));
  });
}

}  // namespace
}  // namespace gradwire::testing
