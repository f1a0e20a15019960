#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/fields.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// Flows that find out whether the links carry what they should. Pure: Plans, no I/O.
namespace gradwire::testbed {

/// Transfer between two hosts, from port to port.
struct Flow {
  Rank from;
  Port via;
  Rank to;
  Port at;

  static constexpr auto kFields = row(field("from", &Flow::from), field("via", &Flow::via),
                                      field("to", &Flow::to), field("at", &Flow::at));
};

/// Flows that together load every host's cable in both directions, each direction once, and share
/// no link. On bridges every host sends to the next host of each of its switches; on routers, where
/// next_port decides the way, to the same seat half the hosts away.
[[nodiscard]] std::vector<Flow> calibration_flows(const topologies::Topology& topology);

/// Assignment of flows to lanes: one lane for each number of a sending port. So a rank has as many
/// lanes as hosts have ports, however many flows there are.
class FlowLanes {
 public:
  explicit FlowLanes(std::span<const Flow> flows);
  [[nodiscard]] std::size_t count() const { return ports_.size(); }
  /// The lane of a flow, which must be one of those that this was made of.
  [[nodiscard]] std::size_t of(const Flow& flow) const;

 private:
  std::vector<Port> ports_;  ///< sending ports, in order
};

/// The Plan of a rank that carries its part of the flows, `elements` elements each, all lanes of
/// one step. A lane sends and receives the same elements, as their values do not matter to a
/// measurement. No two flows may share a port of a host in the same direction. The buffer must hold
/// buffer_elements(flows, elements).
[[nodiscard]] Plan plan_of(std::span<const Flow> flows, Rank rank, std::size_t elements);
/// Number of elements of a buffer in which every lane has `elements` of its own.
[[nodiscard]] std::size_t buffer_elements(std::span<const Flow> flows, std::size_t elements);

/// Groups of flows to measure at the same time: no host is in two flows of a group, so that they
/// share neither cables nor, for calibration_flows, any other link. A group has at most `most`
/// flows. Each index of `flows` is in one group.
[[nodiscard]] std::vector<std::vector<std::size_t>> apart(std::span<const Flow> flows,
                                                          std::size_t most);

}  // namespace gradwire::testbed
