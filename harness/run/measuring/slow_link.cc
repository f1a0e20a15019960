#include "harness/run/measuring/slow_link.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/error.h"
#include "core/units.h"
#include "topologies/peers.h"

namespace gradwire::run {
namespace {

using testbed::Flow;
using topologies::Attachment;
using topologies::SwitchKind;
using topologies::Topology;

/// Share by which measurements of one link may be apart: more or less of a burst passes at once.
constexpr double kAgreement = 0.04;
constexpr std::size_t kAgreeing = 3;

bool agree(double one, double other) {
  return off_rate(one, other) <= kAgreement;
}

/// Hosts' ports at the other ends of the cables of a switch that is a bridge.
std::vector<Attachment> ports_at(const Topology& topology, NodeId bridge) {
  std::vector<Attachment> ports;
  for (std::size_t i = 0; i < topology.ports_of(bridge); ++i) {
    ports.push_back(topology.opposite({bridge, Port(i)}));
  }
  return ports;
}

/// All flows that hosts' ports can send each other and that share the port that sends `flow`.
std::vector<Flow> flows_beside(const Topology& topology, const Flow& flow) {
  std::vector<Flow> flows;
  if (topology.switch_kind() == SwitchKind::bridge) {
    const Attachment from{topology.host(flow.from), flow.via};
    for (const Attachment& to : ports_at(topology, topology.opposite(from).node)) {
      flows.push_back({flow.from, flow.via, Rank(to.node.index()), to.port});
    }
    return flows;
  }
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    if (Rank(host) == flow.from) continue;
    const Peer peer = topologies::send_peer(topology, flow.from, Rank(host));
    flows.push_back({flow.from, peer.via, Rank(host), peer.at});
  }
  return flows;
}

std::string shares(double measured, double expected) {
  return fmt::format("{} of payload instead of {} ({:+.1f} %)", to_string(BitRate{measured * 8}),
                     to_string(BitRate{expected * 8}), 100 * (measured / expected - 1));
}

/// Phrase on what a link's ports carry with other hosts, as far as that was tried.
std::string with_others(const OffLink& link) {
  std::string text;
  const auto add = [&text](const std::optional<double>& rate, const char* what) {
    if (rate) text += fmt::format(", with another host {} {}", what, to_string(BitRate{*rate * 8}));
  };
  add(link.sends, "the one sends");
  add(link.receives, "the other receives");
  return text;
}

}  // namespace

double off_rate(double measured, double expected) {
  if (std::isinf(expected)) return 0;
  return std::abs(measured / expected - 1);
}

double closest_rate(const OffLink& link, double expected) {
  ensure(!link.rates.empty(), "a link that is off was measured");
  return std::ranges::min(link.rates, {},
                          [expected](double rate) { return off_rate(rate, expected); });
}

Blame blame(const OffLink& link, double expected) {
  const double fastest = std::ranges::max(link.rates);
  const auto agreeing =
      std::ranges::count_if(link.rates, [&](double rate) { return agree(rate, fastest); });
  if (static_cast<std::size_t>(agreeing) < kAgreeing) return Blame::machine;
  const auto is_right = [&](const std::optional<double>& rate) {
    return rate && off_rate(*rate, expected) <= kLinkTolerance;
  };
  const auto is_as_slow = [&](const std::optional<double>& rate) {
    return rate && !is_right(rate) && off_rate(*rate, fastest) <= kLinkTolerance;
  };
  if (is_as_slow(link.sends) && is_right(link.receives)) return Blame::sender;
  if (is_as_slow(link.receives) && is_right(link.sends)) return Blame::receiver;
  return Blame::link;
}

std::optional<Flow> same_sender(const Topology& topology, const Flow& flow) {
  for (const Flow& other : flows_beside(topology, flow)) {
    const bool is_other = other.to != flow.from && other.to != flow.to;
    if (is_other && other.via == flow.via) return other;
  }
  return std::nullopt;
}

std::optional<Flow> same_receiver(const Topology& topology, const Flow& flow) {
  const bool bridge = topology.switch_kind() == SwitchKind::bridge;
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    const Rank from(host);
    if (from == flow.from || from == flow.to) continue;
    for (std::size_t port = 0; port < (bridge ? topology.ports_per_host() : 1); ++port) {
      for (const Flow& other : flows_beside(topology, {from, Port(port), flow.to, flow.at})) {
        if (other.to == flow.to && other.at == flow.at) return other;
      }
    }
  }
  return std::nullopt;
}

std::string describe(const OffLink& link, double expected, Blame whom) {
  const Flow& flow = link.flow;
  const std::string carried = shares(closest_rate(link, expected), expected);
  switch (whom) {
    case Blame::sender:
      return fmt::format("rank {}, port {} sends {}, to rank {} and to others alike",
                         flow.from.index(), flow.via.index(), carried, flow.to.index());
    case Blame::receiver:
      return fmt::format("rank {}, port {} receives {}, from rank {} and from others alike",
                         flow.to.index(), flow.at.index(), carried, flow.from.index());
    case Blame::link:
      return fmt::format(
          "the link from rank {}, port {} to rank {}, port {} carries {} time after time{}, "
          "unless the machine is always too busy for it",
          flow.from.index(), flow.via.index(), flow.to.index(), flow.at.index(), carried,
          with_others(link));
    case Blame::machine:
      return fmt::format(
          "the link from rank {} port {} to rank {} port {} carries {}; give the machine less to "
          "do, or raise the dilation",
          flow.from.index(), flow.via.index(), flow.to.index(), flow.at.index(), carried);
  }
  throw_bug("somebody is to blame");
}

}  // namespace gradwire::run
