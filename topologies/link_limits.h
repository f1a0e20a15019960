#pragma once

#include "core/units.h"

namespace gradwire::topologies {

/// The most that a link of speed 1 lets through in each direction: in any time T no more payload
/// than burst + payload rate x T.
struct LinkLimits {
  BitRate payload;   ///< above 0
  double burst = 0;  ///< payload bytes, at once after a pause
};

}  // namespace gradwire::topologies
