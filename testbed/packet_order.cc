#include "testbed/packet_order.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mount.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {
namespace {

/// Mount of a /sys of the caller's network namespace.
class OwnSysfs {
 public:
  OwnSysfs() { checked(::mount("sysfs", "/sys", "sysfs", 0, nullptr), "mount /sys"); }
  ~OwnSysfs() { ::umount2("/sys", MNT_DETACH); }
  OwnSysfs(const OwnSysfs&) = delete;
  OwnSysfs& operator=(const OwnSysfs&) = delete;
};

}  // namespace

void keep_packets_in_order(std::span<const std::string> interfaces) {
  const OwnSysfs sysfs;
  for (const std::string& interface : interfaces) {
    const std::string path = fmt::format("/sys/class/net/{}/queues/rx-0/rps_cpus", interface);
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) throw SystemError("open " + path, errno);
    if (::write(file.get(), "1", 1) != 1) throw SystemError("write to " + path, errno);
  }
}

}  // namespace gradwire::testbed
