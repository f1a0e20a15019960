#include "testbed/netlink.h"

#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "tests/sanitized.h"

namespace gradwire::testbed {
namespace {

using ::testing::HasSubstr;

// libnl has no code for it, and says "Unspecific failure".
TEST(Netlink, SaysWhichLimitLeavesNoSocket) {
  if (gradwire::testing::kAddressSanitized) {
    GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to look at an exception";
  }
  rlimit before{};
  checked(::getrlimit(RLIMIT_NOFILE, &before), "getrlimit");
  const FileDescriptor highest(checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open"));
  const rlimit none_left{.rlim_cur = static_cast<rlim_t>(highest.get()) + 1,
                         .rlim_max = before.rlim_max};
  checked(::setrlimit(RLIMIT_NOFILE, &none_left), "setrlimit");
  std::string said;
  try {
    const Netlink netlink;
  } catch (const SystemError& error) {
    said = error.what();
  }
  checked(::setrlimit(RLIMIT_NOFILE, &before), "setrlimit");
  EXPECT_THAT(said, HasSubstr("open a netlink socket: Too many open files (ulimit -n is "));
}

}  // namespace
}  // namespace gradwire::testbed
