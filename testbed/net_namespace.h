#pragma once

#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// Unnamed network namespace. It exists as long as this object, a process in it, or an interface's
/// peer needs it; nothing in the file system refers to it.
class NetNamespace {
 public:
  /// Creates a namespace whose loopback interface is down. Throws SystemError. The caller's thread
  /// stays where it is.
  [[nodiscard]] static NetNamespace create();

  /// The descriptor for setns(), still owned.
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  explicit NetNamespace(FileDescriptor fd) : fd_(std::move(fd)) {}
  FileDescriptor fd_;
};

/// Guard that keeps the calling thread in a namespace for the life of this object.
class InNamespace {
 public:
  /// Enters the namespace. Throws SystemError.
  explicit InNamespace(int namespace_fd);
  ~InNamespace();
  InNamespace(const InNamespace&) = delete;
  InNamespace& operator=(const InNamespace&) = delete;

 private:
  FileDescriptor before_;
};

}  // namespace gradwire::testbed
