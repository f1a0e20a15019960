#pragma once

#include <string>

#include "topologies/topology.h"

/// How fast any all-reduce can be on a wiring, whatever the algorithm.
namespace gradwire::topologies {

/// A lower bound on the time of an all-reduce of S bytes, and the cables that set it.
struct CutBound {
  double t_f = 0;   ///< in units of T_F = S / link rate
  std::string cut;  ///< "each host's NICs", "below pod 1 edge 0"
};

/// The largest of these bounds, for an all-reduce in which hosts add and switches do not. Speeds
/// are times the link rate, and cables carry their speed in both directions at once.
///
///     cut                               T_F                   because
///     all hosts (N)                     2(N-1) / their NICs   every element is sent N-1 times to
///     be
///                                                             added, and N-1 times to be handed
///                                                             out
///     one host                          1 / its NICs          S leaves it, and S enters it
///     G >= 2 groups of hosts            2(G-1) / their        the same between groups
///                                       leaving cables
///     one group                         1 / its cables        S leaves it, and S enters it
///     a switch and all below it         1 / its cables        the same
///
/// The groups of a tier are what its switches, the tiers below and the hosts still form when all
/// cables to higher tiers and between equals are cut: an edge switch and its hosts, a pod, what
/// hangs on the leaves of all rails. What is below a switch are the nodes that lead down from it
/// from tier to tier; sets that hold no host or all of them say nothing.
///
/// Near linear in the number of cables. A tier whose switches have together far more below them
/// than the wiring has cables is not looked at switch by switch (the core of a Fat-Tree; there
/// every switch has all hosts below it). Leaving sets out makes the bound no less true.
[[nodiscard]] CutBound cut_bound(const Topology& topology);

}  // namespace gradwire::topologies
