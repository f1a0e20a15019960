#include "simulator/fabric.h"

#include <algorithm>

#include "core/error.h"
#include "topologies/load.h"

namespace gradwire::simulator {
namespace {

using topologies::Attachment;
using topologies::Hop;
using topologies::Topology;

/// Calls combine(a digit, b digit, radix) digit by digit, and composes the results.
template <class Combine>
Rank by_digits(Rank a, Rank b, std::span<const std::size_t> radices, Combine combine) {
  std::size_t result = 0;
  std::size_t weight = 1;
  std::size_t rest_a = a.index();
  std::size_t rest_b = b.index();
  for (const std::size_t radix : radices) {
    result += weight * combine(rest_a % radix, rest_b % radix, radix);
    rest_a /= radix;
    rest_b /= radix;
    weight *= radix;
  }
  return Rank(result);
}

}  // namespace

FoldedFabric::FoldedFabric(const Topology& topology) : topology_(topology) {
  const auto radices = topology.translation();
  ensure(radices.has_value(), "only a wiring with a translation can be folded");
  radices_ = *radices;
}

ChannelEnd FoldedFabric::opposite(std::size_t, const Peer& peer) const {
  return {.actor = 0, .as = {.rank = inverse(peer.rank, radices_), .via = peer.at, .at = peer.via}};
}

std::vector<LinkUse> FoldedFabric::route(std::size_t, const Peer& peer) const {
  std::vector<LinkUse> uses;
  for (const Hop& hop : planned_route(topology_, Rank(0), peer)) {
    const Attachment from = topology_.departure(hop);
    const Attachment to = topology_.arrival(hop);
    const bool leaves_a_host = topology_.is_host(from.node);
    ensure(leaves_a_host || topology_.is_host(to.node),
           "every cable of a folded wiring ends at a host");
    const std::uint32_t link = leaves_a_host ? 2 * from.port.value : 2 * to.port.value + 1;
    const auto known = std::ranges::find(uses, link, &LinkUse::link);
    if (known == uses.end()) {
      uses.push_back({.link = link});
    } else {
      ++known->times;
    }
  }
  return uses;
}

std::vector<double> FoldedFabric::speeds() const {
  std::vector<double> speeds;
  for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
    const double speed = topology_.speed_at({topology_.host(Rank(0)), Port(port)});
    speeds.insert(speeds.end(), 2, speed);
  }
  return speeds;
}

Rank translated(Rank rank, Rank by, std::span<const std::size_t> radices) {
  return by_digits(rank, by, radices,
                   [](std::size_t a, std::size_t b, std::size_t radix) { return (a + b) % radix; });
}

Rank inverse(Rank rank, std::span<const std::size_t> radices) {
  return by_digits(rank, rank, radices, [](std::size_t a, std::size_t, std::size_t radix) {
    return (radix - a) % radix;
  });
}

}  // namespace gradwire::simulator
