#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// How much each direction of each cable carries. Elements, not bytes: headers and the size of an
/// element are the caller's business.
namespace gradwire::topologies {

/// Elements per directed link. The topology must outlive it.
class LinkLoad {
 public:
  explicit LinkLoad(const Topology& topology);

  /// `elements` from `from` to `to` along the wiring's own route. Requires from != to.
  void add(Rank from, Rank to, std::uint64_t elements);
  /// What rank `from` sends, along the route to the port that it names. Throws InternalError when
  /// that route does not leave through the port that the Plan says.
  void add(Rank from, const Send& send);

  [[nodiscard]] std::uint64_t at(Hop hop) const;
  /// The most elements on a directed link, whatever its speed.
  [[nodiscard]] std::uint64_t max() const;
  /// The longest time that a directed link needs for its elements: elements divided by the link's
  /// speed, in units of the time that a link of speed 1 needs for one element.
  [[nodiscard]] double max_time() const;

 private:
  void add(std::span<const Hop> hops, std::uint64_t elements);

  const Topology* topology_;
  std::vector<std::uint64_t> elements_;  ///< two per link, a -> b first
};

/// What step `step` of all lanes of all ranks puts on the links together. `plans[r]` is rank r's;
/// lanes without that step add nothing.
[[nodiscard]] LinkLoad load_of_step(const Topology& topology, std::span<const Plan> plans,
                                    std::size_t step);

/// The sum over all steps of the slowest directed link's time (LinkLoad::max_time): how long the
/// Plans take when their steps do not overlap, in units of the time that a link of speed 1 needs
/// for one element. No execution that keeps the steps apart is faster; one that overlaps them may
/// be.
[[nodiscard]] double step_bound(const Topology& topology, std::span<const Plan> plans);

}  // namespace gradwire::topologies
