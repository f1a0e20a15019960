#include "testbed/sysctl.h"

#include <cerrno>

#include <fcntl.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {
namespace {

/// Writes a setting. Returns 0, or errno.
int write_setting(const std::string& path, const std::string& value) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return errno;
  return ::write(file.get(), value.data(), value.size()) < 0 ? errno : 0;
}

}  // namespace

void set_network_setting(const std::string& name, const std::string& value) {
  const std::string path = "/proc/sys/net/" + name;
  if (const int error = write_setting(path, value)) {
    throw SystemError("write " + value + " to " + path, error);
  }
}

bool try_network_setting(const std::string& name, const std::string& value) {
  return write_setting("/proc/sys/net/" + name, value) == 0;
}

}  // namespace gradwire::testbed
