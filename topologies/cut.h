#pragma once

#include <string>

#include "core/goal.h"
#include "topologies/topology.h"

/// Lower bounds on the time of an all-reduce, or any goal, on a wiring, whatever the algorithm.
namespace gradwire::topologies {

/// A lower bound on the time of an all-reduce of S bytes, and the cables that set it.
struct CutBound {
  double t_f = 0;   ///< time in units of T_F = S / link rate
  std::string cut;  ///< "each host's NICs", "below pod 1 edge 0"
};

/// The largest of the bounds below, for an all-reduce in which hosts add and switches do not.
/// Speeds are multiples of the link rate, and cables carry their speed in both directions at once.
///
///     cut                         T_F                   because
///     all hosts (N)               2(N-1) / their NICs   every element is sent N-1 times to be
///                                                       added, and N-1 times to be handed out
///     one host                    1 / its NICs          S leaves it, and S enters it
///     G >= 2 groups of hosts      2(G-1) / all cables   every element leaves groups G-1 times to
///                                 that leave a group    be added, and G-1 to be handed out
///     one group                   1 / its cables        S leaves it, and S enters it
///     a switch and all below it   1 / its cables        S leaves it, and S enters it
///
/// The groups of a tier are the pieces into which the wiring falls when all cables to higher tiers
/// and between switches of one tier are cut: an edge switch and its hosts; a pod; the leaves of all
/// rails and their hosts. Below a switch are the nodes that one reaches from it going down from
/// tier to tier. A set that holds no host or all of them gives no bound.
///
/// Near linear in the number of cables. Where the sets below the switches of a tier are together
/// far larger than the wiring, that tier is not looked at switch by switch (the core of a Fat-Tree:
/// every switch has all hosts below it). A set that is left out can only make the bound lower.
[[nodiscard]] CutBound cut_bound(const Topology& topology);

/// The largest bound for any goal, whose rank i is host i, in units of the time that a link of
/// speed 1 needs for one element: `t_f` counts elements. The cuts are those of an all-reduce; the
/// elements that must cross them follow from the goal (topologies/demand.h). Where every element
/// has one beginner and one ender, as in an all-to-all, one more holds where hosts relay:
///
///     every host                  sum of elements x hosts on their shortest way that send them
///                                 / all NICs
///
/// Time grows as the goal's extents and the ranks that have each, times the switches of the wiring.
[[nodiscard]] CutBound cut_bound(const Topology& topology, const Goal& goal);

}  // namespace gradwire::topologies
