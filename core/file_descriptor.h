#pragma once

#include <utility>

#include <unistd.h>

namespace gradwire {

/// Owns an open file descriptor and closes it when it is destroyed.
class FileDescriptor {
 public:
  /// Owns nothing.
  FileDescriptor() = default;
  /// Takes ownership of `fd`; a negative one counts as none.
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~FileDescriptor() { reset(); }

  /// The descriptor, still owned; negative when there is none.
  [[nodiscard]] int get() const { return fd_; }
  /// Whether it owns a descriptor.
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  /// Gives the descriptor up without closing it.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  /// Closes the descriptor, if there is one.
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace gradwire
