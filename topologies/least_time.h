#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/load.h"
#include "topologies/topology.h"

/// The least time that Plans can take on their links, whoever runs them: the bound that stands
/// beside every measured and every simulated time.
namespace gradwire::topologies {

/// The other end of a channel: which actor, and how it names this end.
struct ChannelEnd {
  std::size_t actor = 0;
  Peer as;
};

/// Who runs Plans, and what carries their messages. An actor is a rank, or one that stands for all.
struct Carriage {
  std::vector<double> speeds;  ///< of every directed link, by number
  /// The directed links that what an actor sends to a peer crosses, each link once.
  std::function<std::vector<LinkUse>(std::size_t actor, const Peer& to)> links_of;
  /// Who receives what an actor sends to a peer, and sends what it receives from there.
  std::function<ChannelEnd(std::size_t actor, const Peer&)> opposite;
  /// How fast the cable of an actor's port is.
  std::function<double(std::size_t actor, Port)> port_speed;
};

/// The ranks of a wiring and its links. The topology must outlive it.
[[nodiscard]] Carriage carriage_of(const Topology& topology);

/// A time that no execution of the Plans is below, in units of the time that a link of speed 1 needs
/// for one element. `plans[i]` is actor i's.
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
