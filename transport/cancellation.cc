#include "transport/cancellation.h"

#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::transport {

Cancellation::Cancellation() : fd_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {}

Cancellation::~Cancellation() {
  ::close(fd_);
}

void Cancellation::request() noexcept {
  requested_.store(true);
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the descriptor is readable already.
  [[maybe_unused]] const auto written = ::write(fd_, &one, sizeof one);
}

}  // namespace gradwire::transport
