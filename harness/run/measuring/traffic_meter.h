#pragma once

#include "harness/run/measuring/standing_wiring.h"

namespace gradwire::run {

/// Tells whose traffic it is where points take turns on wirings: all that a wiring carries from a
/// point's turn on until another's. What is sent again of a point's last message, and what its
/// receiver says of that, passes before the next turn.
class TrafficMeter {
 public:
  /// What the wiring carries from now on, until the next call, is added to `sum`: both must live
  /// until then. Reads the wiring that was counted until now, and this one if it is another; none
  /// where it counts into this sum already.
  void count_into(StandingWiring& wiring, WiringTraffic& sum);

  /// Adds what there is to the last sum.
  void stop();

 private:
  StandingWiring* wiring_ = nullptr;  ///< null: it counts nothing
  WiringTraffic* sum_ = nullptr;
  WiringTraffic before_;  ///< what wiring_ had carried when it began to count into sum_
};

}  // namespace gradwire::run
