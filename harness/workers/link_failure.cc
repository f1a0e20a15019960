#include "harness/workers/link_failure.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gradwire::workers {
namespace {

using topologies::Attachment;
using topologies::Topology;

/// Ports that their ranks report as down.
std::vector<Attachment> ports_down(std::span<const RankEnd> ends, const Topology& wiring) {
  std::vector<Attachment> ports;
  for (const RankEnd& end : ends) {
    if (!end.failure || end.failure->fabric != FabricFailure::link_down) continue;
    for (const Port port : end.failure->down) ports.push_back({wiring.host(end.rank), port});
  }
  return ports;
}

/// Ports of hosts that lead to a switch.
std::size_t host_ports_at(const Topology& wiring, NodeId node) {
  std::size_t hosts = 0;
  for (std::size_t port = 0; port < wiring.ports_of(node); ++port) {
    if (wiring.is_host(wiring.opposite({node, Port(port)}).node)) ++hosts;
  }
  return hosts;
}

/// A way on which nothing is acknowledged, as the rank at one of its ends says.
struct Path {
  Rank from;
  Rank to;
  const Failure* said;

  [[nodiscard]] bool ends_at(Rank rank) const { return from == rank || to == rank; }
  [[nodiscard]] Rank other_end(Rank rank) const { return from == rank ? to : from; }
};

std::vector<Path> unanswered_paths(std::span<const RankEnd> ends) {
  std::vector<Path> paths;
  for (const RankEnd& end : ends) {
    if (!end.failure || end.failure->fabric != FabricFailure::unanswered) continue;
    if (!end.failure->place.peer) continue;
    paths.push_back({.from = end.rank, .to = *end.failure->place.peer, .said = &*end.failure});
  }
  return paths;
}

/// Error that blames a rank at an end of all paths; nothing when they lead to a single other rank.
std::optional<FabricError> at_all_ends(std::span<const Path> paths, Rank rank) {
  std::set<std::size_t> others;
  FabricPlace place{.rank = rank};
  for (const Path& path : paths) {
    if (!path.ends_at(rank)) return std::nullopt;
    others.insert(path.other_end(rank).index());
    if (path.from == rank) place.port = path.said->place.port;
  }
  if (others.size() < 2) return std::nullopt;
  return FabricError(FabricFailure::unanswered, place,
                     fmt::format("what is sent to it or from it is lost, on the ways to ranks {}; "
                                 "noticed first by {}",
                                 fmt::join(others, ", "), paths.front().said->message));
}

}  // namespace

std::optional<FabricError> find_failed_switch(std::span<const RankEnd> ends,
                                              const Topology& wiring) {
  const std::vector<Attachment> down = ports_down(ends, wiring);
  if (down.size() < 2) return std::nullopt;
  const NodeId suspect = wiring.opposite(down.front()).node;
  if (wiring.is_host(suspect)) return std::nullopt;
  const bool all_lead_there = std::ranges::all_of(
      down, [&](const Attachment& port) { return wiring.opposite(port).node == suspect; });
  if (!all_lead_there || down.size() != host_ports_at(wiring, suspect)) return std::nullopt;
  std::vector<std::string> ports;
  for (const Attachment& port : down) {
    ports.push_back(fmt::format("rank {}, port {}", port.node.index(), port.port.index()));
  }
  return FabricError(FabricFailure::link_down, {},
                     fmt::format("{} carries nothing: all ports that lead to it are down: {}",
                                 wiring.label(suspect), fmt::join(ports, "; ")));
}

std::optional<FabricError> find_unheard(std::span<const RankEnd> ends) {
  const std::vector<Path> paths = unanswered_paths(ends);
  if (paths.empty()) return std::nullopt;
  for (const Rank rank : {paths.front().from, paths.front().to}) {
    if (const auto culprit = at_all_ends(paths, rank)) return culprit;
  }
  const Failure& first = *paths.front().said;
  return FabricError(FabricFailure::unanswered, first.place, first.detail);
}

}  // namespace gradwire::workers
