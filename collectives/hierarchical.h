#pragma once

#include <cstddef>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// Hierarchical synchronization: BML's levels on a wiring of any shape (Wang et al., "BML", NeurIPS
/// 2018, section 3.3: "servers are first grouped by edge switches, then grouped by aggregation
/// switches, and finally grouped by pods").
///
///     Fat-Tree(4)     level 2   ╭──────────┬────────┬────────╮      same edge and seat, other pods
///                     level 1   0,2    │   │        │               same pod and seat, other edges
///                     level 0   0,1 2,3│4,5 6,7│8,9 10,11│12,13 14,15       same edge switch
///
/// Hosts are numbers in mixed radix, digit l of g_l values; a group of level l differs in digit l
/// only. With L levels, groups of g_0, g_1, ..., and G_l = g_0 ... g_l:
///
///     step               trades with          to each of the g_l - 1 others         which it
///     l = 0 .. L-1       its level-l group    the other's 1/G_l of the gradient     adds
///     l = L-1 .. 0       its level-l group    its own 1/G_l, summed                 puts in place
///
/// Step l carries (g_l - 1)/G_l of the gradient each way; both stages together (N-1)/N each:
///
///     GST = 2(N-1)/N T_F + 2L alpha
///
/// which is the time of a parameter server on a single-NIC Fat-Tree: levels save start-ups and
/// traffic between switches, but no time at the host's one cable. Layout: that of
/// collectives/nested_groups.h.
namespace gradwire::collectives::hierarchical {

struct Options {
  /// The group sizes, lowest level first. When their product divides N, the remaining factor is one
  /// more level: {4} means groups of 4, then N/4 of them. Empty means natural_groups.
  std::vector<std::size_t> groups = {};
};

/// The sizes of the groups that the wiring suggests to `rank`, without those of one:
/// Topology::group_sizes, that is {p/2, p/2, p} on a Fat-Tree(p) and k times n on a BCube(n,k). If
/// that is empty, the groups are the hosts that share the switch at port 0, then the switches.
/// Throws InputError when these are not equal runs of hosts.
[[nodiscard]] std::vector<std::size_t> natural_groups(const topologies::Topology& topology,
                                                      Rank rank);

/// The Plan of rank `rank`: one lane of 2L steps. Peers lie along the wiring's routes. Throws
/// InputError when the groups do not make up the wiring's hosts.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
                        const Options& options = {});

/// The parts whose sums the ranks hold after half of the steps: rank i has parts[i]. Until then the
/// Plan is a reduce-scatter of them, then an all-gather (first_half, second_half in core/plan.h),
/// each of L steps and (N-1)/N T_F. Throws like plan().
[[nodiscard]] Parts parts(const topologies::Topology& topology, std::size_t elements,
                          const Options& options = {});

/// GST in units of T_F, 2(N-1)/N, when start-up costs nothing and groups do not share links.
[[nodiscard]] double closed_form(std::size_t ranks);

}  // namespace gradwire::collectives::hierarchical
