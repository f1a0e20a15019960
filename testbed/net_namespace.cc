#include "testbed/net_namespace.h"

#include <exception>

#include <fcntl.h>
#include <sched.h>

#include "core/error.h"

namespace gradwire::testbed {
namespace {

FileDescriptor current_namespace() {
  return FileDescriptor(checked(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC),
                                "open /proc/thread-self/ns/net"));
}

}  // namespace

NetNamespace NetNamespace::create() {
  const FileDescriptor before = current_namespace();
  checked(::unshare(CLONE_NEWNET), "create a network namespace");
  FileDescriptor made = current_namespace();
  checked(::setns(before.get(), CLONE_NEWNET), "return to the network namespace");
  return NetNamespace(std::move(made));
}

InNamespace::InNamespace(int namespace_fd) : before_(current_namespace()) {
  checked(::setns(namespace_fd, CLONE_NEWNET), "enter a network namespace");
}

InNamespace::~InNamespace() {
  // Going on in the wrong namespace would configure the wrong host.
  if (::setns(before_.get(), CLONE_NEWNET) != 0) std::terminate();
}

}  // namespace gradwire::testbed
