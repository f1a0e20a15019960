#pragma once

#include <atomic>

namespace gradwire::transport {

/// Request to give up, seen by every wait that polls fd(). Any thread may request; nothing resets.
class Cancellation {
 public:
  /// Makes one that nobody has requested. Throws SystemError when no eventfd can be had.
  Cancellation();
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  /// Requests that everybody gives up. Async-signal-safe.
  void request() noexcept;
  /// Whether giving up was requested.
  [[nodiscard]] bool requested() const noexcept { return requested_.load(); }
  /// Descriptor that becomes readable, and stays so, once giving up was requested.
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
  std::atomic<bool> requested_ = false;
};

}  // namespace gradwire::transport
