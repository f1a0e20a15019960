#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/load.h"
#include "topologies/topology.h"

/// The least time that Plans can take on their links, however they are executed: the bound that
/// stands beside every measured and every simulated time.
namespace gradwire::topologies {

/// The other end of a channel: its actor, and that actor's name for this end.
struct ChannelEnd {
  std::size_t actor = 0;
  Peer as;
};

/// The actors that run Plans, and the links that carry their messages. An actor is a rank, or one
/// that stands for all.
struct Carriage {
  std::vector<double> speeds;  ///< speed of every directed link, by number
  /// The directed links on an actor's way to a peer, each link once.
  std::function<std::vector<LinkUse>(std::size_t actor, const Peer& to)> links_of;
  /// The other end of an actor's channel to a peer, in both directions.
  std::function<ChannelEnd(std::size_t actor, const Peer&)> opposite;
  /// The speed of the cable at an actor's port.
  std::function<double(std::size_t actor, Port)> port_speed;
};

/// The Carriage of a wiring's ranks and links. The topology must outlive it.
[[nodiscard]] Carriage carriage_of(const Topology& topology);

/// A lower bound on the time of any execution of the Plans, in units of the time that a link of
/// speed 1 needs for one element. `plans[i]` is actor i's.
///
/// In any interval T a link passes at most burst + speed x T elements. So
///   - a send leaves no earlier than all that it waits for has come in: the receives of earlier
///     steps that overlap what it carries or, unless steps overlap, all of them (the rules of
///     core/lane_program.h; that one_by_one waits for sends is left out);
///   - what may leave no earlier than h and crosses one link is through no earlier than
///     h + (its elements - burst) / speed. The largest over all h and all links counts.
/// Steps are added only where a send waits for them. A burst is taken off for every such wait, but
/// only once for all that one link carries.
///
/// Requires that the Plans meet, and burst >= 0. Takes memory and time as core/lane_program.h does.
[[nodiscard]] double least_time(std::span<const Plan> plans, const Carriage& carriage,
                                double burst = 0);
[[nodiscard]] double least_time(const Topology& topology, std::span<const Plan> plans,
                                double burst = 0);

}  // namespace gradwire::topologies
