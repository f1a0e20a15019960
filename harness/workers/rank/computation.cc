#include "harness/workers/rank/computation.h"

#include <array>
#include <cerrno>
#include <ctime>

#include <poll.h>

#include "core/error.h"
#include "transport/endpoint.h"

namespace gradwire::workers {

void Computation::until(TimePoint when) {
  for (;;) {
    if (cancellation_.requested()) throw transport::Cancelled();
    const TimePoint now = clock_.now();
    if (now >= when) return;
    if (load_ == experiment::ProcessorLoad::wait) {
      sleep(when - now);
    } else {
      work();
    }
  }
}

void Computation::sleep(Nanoseconds time) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec wait{.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
  pollfd cancelled{.fd = cancellation_.fd(), .events = POLLIN, .revents = 0};
  if (::ppoll(&cancelled, 1, &wait, nullptr) < 0 && errno != EINTR) {
    throw SystemError("ppoll", errno);
  }
}

/// Some microseconds of multiply-adds in registers and the first-level cache, as a dense layer
/// does.
void Computation::work() {
  std::array<double, 512> values;
  values.fill(result_ + 1);
  for (int round = 0; round < 32; ++round) {
    for (double& value : values) value = value * 0.999 + 0.001;
  }
  result_ = values.back() - 1;
}

}  // namespace gradwire::workers
