#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// The common terms of collectives on any group of ranks: a member knows the group by places
/// 0..N-1, and its lane turns places into ranks and ports.
namespace gradwire::collectives {

/// A rank of a group, by its place. The wiring and the group must outlive it.
struct Member {
  const topologies::Topology& topology;
  std::span<const Rank> group;  ///< each rank once
  std::size_t place = 0;        ///< place of the rank whose Plan is made: group[place]

  /// The number N of the group's members.
  [[nodiscard]] std::size_t members() const { return group.size(); }
  /// The rank whose Plan is made.
  [[nodiscard]] Rank rank() const { return group[place]; }
};

/// The group of all ranks of a wiring: 0, 1, ..., N-1.
[[nodiscard]] Group everyone(const topologies::Topology& topology);
/// The places of the member's group in the order in which the wiring's first ring passes its ranks
/// (Topology::ring_place).
[[nodiscard]] std::vector<std::size_t> ring_order(const Member& self);

/// The share (N-1)/N of a vector that a member gets if it holds one N-th already.
[[nodiscard]] double share_of_others(std::size_t members);

/// The elements of members that lie side by side: every member has a part of its own, and the parts
/// are in the order of the members.
class SideBySide {
 public:
  /// Parts of these sizes: member i's part has sizes[i] elements, and the first begins at element
  /// 0.
  explicit SideBySide(std::span<const std::size_t> sizes);

  /// The parts of the members [first, first + count), where the first member follows the last: one
  /// extent, or two if the run passes the last member. Empty ones are left out. Requires first <
  /// members and count <= members.
  [[nodiscard]] std::vector<Extent> run(std::size_t first, std::size_t count) const;

 private:
  std::vector<std::size_t> bounds_;  ///< part i lies between bounds i and i + 1
};

/// The direction in which a schedule that hands elements out is run. Backwards the last step comes
/// first, and receivers become senders: a scatter becomes a gather, a broadcast a reduction, an
/// all-gather a reduce-scatter (duals in Chan, Heimlich, Purkayastha, van de Geijn, "Collective
/// communication: theory, practice, and experience", Concurrency and Computation 19, 2007).
enum class Run : std::uint8_t {
  forwards,   ///< arrivals are put in place
  backwards,  ///< arrivals are put in place
  summing,    ///< backwards, and arrivals are added
};

/// Builds a lane of a member. Peers lie along the wiring's routes.
class MemberLane {
 public:
  /// A lane of `steps` steps. The member's topology and group must outlive it.
  MemberLane(const Member& self, std::size_t steps, Run run = Run::forwards);

  /// Sends these elements to the member at place `to`, in step `step` of the schedule. Does nothing
  /// for an empty extent. Requires step < steps.
  void send(std::size_t step, std::size_t to, const Extent& what);
  /// Sends several extents, one after the other.
  void send(std::size_t step, std::size_t to, std::span<const Extent> what);
  /// Receives these elements from the member at place `from`, in step `step` of the schedule. Does
  /// nothing for an empty extent. Requires step < steps.
  void receive(std::size_t step, std::size_t from, const Extent& where);
  /// Receives several extents, one after the other.
  void receive(std::size_t step, std::size_t from, std::span<const Extent> where);

  /// The Plan of this one lane.
  [[nodiscard]] Plan take(Stepping stepping);

 private:
  void add_send(std::size_t step, std::size_t to, const Extent& what);
  void add_receive(std::size_t step, std::size_t from, const Extent& where);

  Member self_;
  Run run_;
  Lane lane_;
};

}  // namespace gradwire::collectives
