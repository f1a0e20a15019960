#pragma once

#include "core/clock.h"
#include "harness/experiment/compute.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// Stands for a device that computes: passes the time.
class Computation {
 public:
  /// The references must outlive it. The clock must be the machine's: waits sleep in the kernel.
  Computation(experiment::ProcessorLoad load, const Clock& clock,
              const transport::Cancellation& cancellation)
      : load_(load), clock_(clock), cancellation_(cancellation) {}

  /// Blocks until `when`, asleep or busy as the load says; returns at once when that has passed.
  /// Throws transport::Cancelled.
  void until(TimePoint when);

 private:
  void sleep(Nanoseconds time) const;
  void work();

  experiment::ProcessorLoad load_;
  const Clock& clock_;
  const transport::Cancellation& cancellation_;
  double result_ = 0;  ///< result of the work, so that it is not optimized away
};

}  // namespace gradwire::workers
