#pragma once

#include <span>
#include <vector>

#include "simulator/flows.h"

/// The same flows in SimGrid 3 (https://simgrid.org), whose default network model is max-min fair
/// flows with TCP's shortcomings added. Here without them.
namespace gradwire::simulator::testing {

struct SimGridRun {
  std::vector<double> times;  ///< seconds, by flow
  double build = 0;           ///< wall seconds until hosts, links and routes stood
  double run = 0;             ///< wall seconds from then until the last flow was done
  double memory = 0;          ///< bytes by which the most that was held grew meanwhile
};

/// Runs the flows in a process of its own, because an Engine can be made only once in a process.
/// Requires whole bytes, at least one, and at least one link for every flow.
///
/// Network model CM02 with factors of 1 and weight-S 0, no cross-traffic, links without latency:
/// then nothing but links limits a flow, and flows share links evenly whatever their length.
[[nodiscard]] SimGridRun simgrid_run(std::span<const double> capacities,
                                     std::span<const TimedFlow> flows);

}  // namespace gradwire::simulator::testing
