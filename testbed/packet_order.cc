#include "testbed/packet_order.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mount.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {
namespace {

/// The /sys of the namespace that the calling thread is in, for the life of this object.
class NamespaceSys {
 public:
  NamespaceSys() { checked(::mount("sysfs", "/sys", "sysfs", 0, nullptr), "mount /sys"); }
  ~NamespaceSys() { ::umount2("/sys", MNT_DETACH); }
  NamespaceSys(const NamespaceSys&) = delete;
  NamespaceSys& operator=(const NamespaceSys&) = delete;
};

/// The processors that one word of a mask has room for.
constexpr std::size_t kMaskBits = 32;

}  // namespace

void keep_packet_order(const std::string& interface, std::size_t turn) {
  const auto processors = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  const std::string mask = fmt::format("{:x}", 1u << turn % std::min(processors, kMaskBits));
  const std::string path = fmt::format("/sys/class/net/{}/queues/rx-0/rps_cpus", interface);
  const NamespaceSys sys;
  const FileDescriptor file(checked(::open(path.c_str(), O_WRONLY | O_CLOEXEC), "open " + path));
  if (::write(file.get(), mask.data(), mask.size()) < 0) throw SystemError("write " + path, errno);
}

}  // namespace gradwire::testbed
