#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulator/flows.h"
#include "tests/simulator/packets.h"
#include "topologies/topology.h"

/// The same transfers on one of our wirings, as packets and as flows.
namespace gradwire::simulator::testing {

/// The wiring's nodes and cables; a link of speed 1 has `rate` bits per second.
inline PacketNetwork packet_network(const topologies::Topology& topology, double rate) {
  PacketNetwork network{
      .hosts = topology.hosts(), .nodes = topology.hosts() + topology.switches(), .cables = {}};
  for (const topologies::Link& link : topology.links()) {
    network.cables.push_back({link.a.node.index(), link.b.node.index(), rate * link.speed});
  }
  return network;
}

/// So many bytes along the wiring's route.
inline Transfer transfer(const topologies::Topology& topology, Rank from, Rank to,
                         std::size_t bytes) {
  Transfer transfer{.way = {}, .bytes = bytes};
  for (const topologies::Hop& hop : topology.route(from, to)) {
    transfer.way.push_back({hop.link.index(), hop.from_a});
  }
  return transfer;
}

/// Who sends to whom.
enum class Pattern { one, ring, incast, pushes };

/// Host 0 to the last one; each to the next; all to host 0; everyone to everyone.
inline std::vector<Transfer> transfers(const topologies::Topology& topology, Pattern pattern,
                                       std::size_t bytes) {
  const std::size_t hosts = topology.hosts();
  const auto is_in = [&](std::size_t from, std::size_t to) {
    switch (pattern) {
      case Pattern::one:
        return from == 0 && to + 1 == hosts;
      case Pattern::ring:
        return to == (from + 1) % hosts;
      case Pattern::incast:
        return to == 0;
      case Pattern::pushes:
        return true;
    }
    return false;
  };
  std::vector<Transfer> all;
  for (std::size_t from = 0; from < hosts; ++from) {
    for (std::size_t to = 0; to < hosts; ++to) {
      if (from != to && is_in(from, to)) {
        all.push_back(transfer(topology, Rank(from), Rank(to), bytes));
      }
    }
  }
  return all;
}

/// When the last of these transfers is done if they share cables max-min fair, of which headers
/// take what they take of full packets: seconds.
inline double fluid_time(const PacketNetwork& network, const std::vector<Transfer>& transfers) {
  constexpr double kShare = static_cast<double>(kSegmentBytes) / kPacketBytes;
  std::vector<double> capacities;
  for (const PacketCable& cable : network.cables) {
    capacities.insert(capacities.end(), 2, cable.rate / 8 * kShare);
  }
  std::vector<TimedFlow> flows;
  for (const Transfer& transfer : transfers) {
    TimedFlow flow{.links = {}, .bytes = static_cast<double>(transfer.bytes)};
    for (const PacketHop& hop : transfer.way) {
      flow.links.push_back(2 * hop.cable + (hop.from_a ? 0 : 1));
    }
    flows.push_back(std::move(flow));
  }
  return std::ranges::max(completion_times(capacities, flows));
}

/// When the last of these transfers is done: seconds.
inline double last_of(const PacketRun& run) {
  return std::ranges::max(run.times);
}

}  // namespace gradwire::simulator::testing
