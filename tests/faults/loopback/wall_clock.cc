#include "tests/faults/loopback/wall_clock.h"

#include <array>
#include <atomic>
#include <chrono>
#include <ctime>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"

namespace {

std::atomic<std::time_t> offset = 0;  // seconds
std::mutex jumping;

}  // namespace

// Stands before the C library's, for the libraries, too.
extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock,
                                                            timespec* now) noexcept {
  const auto result = ::syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += offset;
  return static_cast<int>(result);
}

namespace gradwire::faults {

WallClockJumps::WallClockJumps() : only_one_(jumping) {
  const auto before = std::chrono::system_clock::now();
  offset = 262;
  ensure(std::chrono::system_clock::now() - before > std::chrono::seconds(261),
         "the wall clock can be moved");
  thread_ = std::thread([this] {
    constexpr std::array kOffsets{-1, 0, 1, -262, 0, 262};
    for (std::size_t i = 0; !stop_.requested(); ++i) {
      offset = kOffsets.at(i % kOffsets.size());
      pollfd waiter{.fd = stop_.fd(), .events = POLLIN, .revents = 0};
      ::poll(&waiter, 1, 1);
    }
  });
}

WallClockJumps::~WallClockJumps() {
  stop_.request();
  thread_.join();
  offset = 0;
}

}  // namespace gradwire::faults
