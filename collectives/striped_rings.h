#pragma once

#include <cstddef>

#include "core/plan.h"
#include "topologies/topology.h"

/// A ring per NIC: k rings, each for its own 1/k of the gradient (as NCCL's channels over rails).
///
///     lane 0, port 0     ┌─> 0 ─> 1 ─> 2 ─> 3 ─┐       every lane is ringallreduce/'s schedule:
///                        └─────────────────────┘       in step s of N-1 (mod N) the rank at place
///     lane 1, port 1     ┌─> 0 ─> 1 ─> 2 ─> 3 ─┐       i of the ring
///                        └─────────────────────┘
///     stage           sends chunk      receives chunk    which it
///     scatter-reduce  i - s            i - s - 1         adds
///     all-gather      i - s + 1        i - s             puts in place
///
/// Lane t addresses its neighbours at their port t, so that with a rail per NIC each lane has its
/// own switches: GST = 2(N-1) (alpha + T_F/(kN)), 1/k of a ring's. With one NIC it is that ring.
///
/// Rings and ports are those that the wiring suggests (Topology::ring_place, ring_port).
///
/// On a BCube port t reaches the hosts of one switch only. There lane t follows the Gray code that
/// starts with digit t (topologies/gray.h), and bytes take the wiring's routes, one switch far. All
/// lanes leave their first level at the same hosts, those whose digits add up to n-1 (mod n); with
/// k = 2 they then swap ports, so that the two rings share none. With more levels a lane whose next
/// digits are 0 turns further, and up to k-1 lanes meet at one port: its steps take k-1 times as
/// long.
namespace gradwire::collectives::striped_rings {

/// The Plan of rank `rank`: a lane of 2(N-1) steps per port of a host.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements);

/// Whether all ranks' Plans are certain to be rank 0's, translated. False leaves it open.
///
/// True when all k rings are rotations (ringallreduce::is_rotation) and `elements` = k N m. Then
/// every chunk of every ring has m elements, and each lane is alike as a ring's.
[[nodiscard]] bool ranks_are_alike(const topologies::Topology& topology, std::size_t elements);

/// GST in units of T_F, 2(N-1)/(kN) with k = `ports`, when start-up costs nothing and rings share
/// no links.
[[nodiscard]] double closed_form(std::size_t ranks, std::size_t ports);

}  // namespace gradwire::collectives::striped_rings
