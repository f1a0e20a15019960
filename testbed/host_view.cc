#include "testbed/host_view.h"

#include <cstring>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace gradwire::testbed {
namespace {

/// Mounts a /sys of the caller's network namespace, where libraries look for interfaces to use.
void mount_own_sysfs() noexcept {
  [[maybe_unused]] const int refused = ::mount("sysfs", "/sys", "sysfs", 0, nullptr);
}

/// Gives the caller mounts of its own. Returns whether it has them.
bool take_own_mounts() noexcept {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace

bool enter_host(const HostView& host) noexcept {
  if (::setns(host.namespace_fd, CLONE_NEWNET) != 0) return false;
  const bool own_mounts = take_own_mounts();
  if (own_mounts) mount_own_sysfs();
  if (host.hosts_file != nullptr) {
    if (!own_mounts) return false;
    if (::mount(host.hosts_file, "/etc/hosts", nullptr, MS_BIND, nullptr) != 0) return false;
  }
  if (host.name == nullptr) return true;
  return ::unshare(CLONE_NEWUTS) == 0 && ::sethostname(host.name, std::strlen(host.name)) == 0;
}

}  // namespace gradwire::testbed
