#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// The load of each direction of each cable, including the elements that hosts relay for others. It
/// counts elements, not bytes: headers and the size of an element are the caller's business.
/// core/count.h counts the elements that the Plan of one rank sends and receives through its own
/// ports.
namespace gradwire::topologies {

/// A directed link by its number (link_number), and how often it is crossed.
struct LinkUse {
  std::uint32_t link = 0;
  std::uint32_t times = 1;
};

/// The number of a directed link: twice the cable's number, and one more towards the cable's `a`.
[[nodiscard]] constexpr std::uint32_t link_number(Hop hop) {
  return 2 * hop.link.value + (hop.from_a ? 0 : 1);
}
/// The speed of every directed link by its number, times the experiment's link rate.
[[nodiscard]] std::vector<double> link_speeds(const Topology& topology);

/// The route of a message from `from` to the Peer `to` of a Plan. Throws InternalError if that
/// route does not leave through `to.via`.
[[nodiscard]] std::vector<Hop> planned_route(const Topology& topology, Rank from, const Peer& to);
/// The directed links of planned_route.
[[nodiscard]] std::vector<LinkUse> planned_links(const Topology& topology, Rank from,
                                                 const Peer& to);

/// The elements and messages that cross every directed link. The topology must outlive it.
class LinkLoad {
 public:
  explicit LinkLoad(const Topology& topology);

  /// Adds a message of `elements` from `from` to `to` along the wiring's own route. Requires from
  /// != to.
  void add(Rank from, Rank to, std::uint64_t elements);
  /// Adds a message that rank `from` sends, along planned_route().
  void add(Rank from, const Send& send);

  /// Elements that cross the directed link.
  [[nodiscard]] std::uint64_t at(Hop hop) const;
  /// Messages that cross the directed link, whatever their sizes.
  [[nodiscard]] std::uint64_t messages_at(Hop hop) const;
  /// The most elements on a directed link, whatever its speed.
  [[nodiscard]] std::uint64_t max() const;
  /// The longest time that a directed link needs for its elements: elements divided by the link's
  /// speed, in units of the time that a link of speed 1 needs for one element.
  [[nodiscard]] double max_time() const;

 private:
  void add(std::span<const Hop> hops, std::uint64_t elements);

  const Topology* topology_;
  std::vector<std::uint64_t> elements_;  ///< by link_number
  std::vector<std::uint64_t> messages_;  ///< by link_number
};

/// The load of all steps of all lanes of all ranks together. `plans[r]` is rank r's.
[[nodiscard]] LinkLoad load_of(const Topology& topology, std::span<const Plan> plans);
/// The load of step `step` of all lanes of all ranks together. Lanes without that step add nothing.
[[nodiscard]] LinkLoad load_of_step(const Topology& topology, std::span<const Plan> plans,
                                    std::size_t step);

/// The sum over all steps of the slowest directed link's time (LinkLoad::max_time), in units of the
/// time that a link of speed 1 needs for one element. That is the time of the Plans when their
/// steps do not overlap: the papers' closed forms. An execution that overlaps steps may be faster;
/// least_time.h has a bound below which none is.
[[nodiscard]] double step_bound(const Topology& topology, std::span<const Plan> plans);

}  // namespace gradwire::topologies
