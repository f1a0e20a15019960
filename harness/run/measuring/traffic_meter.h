#pragma once

#include "harness/run/measuring/standing_wiring.h"

namespace gradwire::run {

/// Tells whose traffic it is where points take turns on wirings: all that a wiring carries from one
/// point's turn until the next point's.
class TrafficMeter {
 public:
  /// Adds what the wiring carries from now on, until the next call, to `sum`: both must live until
  /// then. Reads the wiring that was counted until now, and this one if it is another, whether or
  /// not the last turn was the same point's: all turns begin alike.
  void count_into(StandingWiring& wiring, WiringTraffic& sum);

  /// Adds what there is to the last sum.
  void stop();

 private:
  StandingWiring* wiring_ = nullptr;  ///< null: it counts nothing
  WiringTraffic* sum_ = nullptr;
  WiringTraffic before_;  ///< traffic of wiring_ when it began to count into sum_
};

}  // namespace gradwire::run
