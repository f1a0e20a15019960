#pragma once

#include <mutex>
#include <thread>

#include "transport/cancellation.h"

namespace gradwire::faults {

/// The wall clock of this process, which jumps by a second and by minutes, to and fro, as long as
/// this object lives. It is the process's own clock_gettime() that jumps; the monotonic clock stays.
/// Blocks while there is another one.
class WallClockJumps {
 public:
  WallClockJumps();
  /// Sets the clock right.
  ~WallClockJumps();
  WallClockJumps(const WallClockJumps&) = delete;
  WallClockJumps& operator=(const WallClockJumps&) = delete;

 private:
  std::unique_lock<std::mutex> only_one_;
  transport::Cancellation stop_;
  std::thread thread_;
};

}  // namespace gradwire::faults
