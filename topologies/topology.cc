#include "topologies/topology.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::topologies {

std::size_t tier_of(std::span<const Tier> tiers, std::size_t number) {
  const auto after = std::ranges::upper_bound(tiers, number, {}, &Tier::first_switch);
  ensure(after != tiers.begin(), "a switch is in a tier");
  return static_cast<std::size_t>(after - tiers.begin()) - 1;
}

Topology::Topology(std::string name, std::size_t hosts, std::size_t ports_per_host,
                   std::size_t switches, std::size_t ports_per_switch)
    : Topology(std::move(name), hosts, ports_per_host,
               std::vector<std::size_t>(switches, ports_per_switch)) {}

Topology::Topology(std::string name, std::size_t hosts, std::size_t ports_per_host,
                   const std::vector<std::size_t>& ports_of_switches)
    : name_(std::move(name)),
      hosts_(hosts),
      ports_per_host_(ports_per_host),
      switches_(ports_of_switches.size()),
      ports_per_switch_(ports_of_switches.empty() ? 0 : std::ranges::max(ports_of_switches)) {
  first_slot_.reserve(switches_ + 1);
  first_slot_.push_back(hosts * ports_per_host);
  for (const std::size_t ports : ports_of_switches) {
    first_slot_.push_back(first_slot_.back() + ports);
  }
  link_of_slot_.resize(first_slot_.back());
}

std::size_t Topology::ports_of(NodeId node) const {
  if (is_host(node)) return ports_per_host_;
  const std::size_t number = node.index() - hosts_;
  ensure(number < switches_, "the node is one of the wiring's");
  return first_slot_[number + 1] - first_slot_[number];
}

std::size_t Topology::slot(Attachment attachment) const {
  const std::size_t node = attachment.node.index();
  const std::size_t port = attachment.port.index();
  ensure(port < ports_of(attachment.node), "the node has the port");
  return (is_host(attachment.node) ? node * ports_per_host_ : first_slot_[node - hosts_]) + port;
}

void Topology::connect(Attachment a, Attachment b, double speed) {
  ensure(a != b, "a cable has two different ends");
  ensure(is_host(a.node) || !is_host(b.node), "a cable's host end is its first");
  std::uint32_t& at_a = link_of_slot_[slot(a)];
  std::uint32_t& at_b = link_of_slot_[slot(b)];
  ensure(at_a == 0 && at_b == 0, "a port takes one cable");
  ensure(std::isfinite(speed) && speed > 0, "a cable has a speed");
  links_.push_back({a, b, speed});
  at_a = at_b = static_cast<std::uint32_t>(links_.size());
}

LinkId Topology::link_at(Attachment attachment) const {
  const std::uint32_t link = link_of_slot_[slot(attachment)];
  ensure(link != 0, "a cable is attached to the port");
  return LinkId(link - 1);
}

double Topology::speed_at(Attachment attachment) const {
  return links_[link_at(attachment).index()].speed;
}

bool Topology::uniform_speed() const {
  return std::ranges::all_of(links_, [](const Link& link) { return link.speed == 1; });
}

Attachment Topology::opposite(Attachment attachment) const {
  const Link& link = links_[link_at(attachment).index()];
  return link.a == attachment ? link.b : link.a;
}

Attachment Topology::departure(Hop hop) const {
  const Link& link = links_.at(hop.link.index());
  return hop.from_a ? link.a : link.b;
}

Attachment Topology::arrival(Hop hop) const {
  const Link& link = links_.at(hop.link.index());
  return hop.from_a ? link.b : link.a;
}

Port Topology::next_port_of_flow(NodeId at, Rank, Rank to, Port to_port) const {
  return next_port(at, to, to_port);
}

RingPlace Topology::ring_place(Rank rank, std::size_t) const {
  const std::size_t index = rank.index();
  return {.index = index,
          .left = Rank((index + hosts_ - 1) % hosts_),
          .right = Rank((index + 1) % hosts_)};
}

Port Topology::ring_port(Rank, Rank, std::size_t ring) const {
  return Port(ring);
}

std::size_t Topology::switch_number(NodeId node) const {
  ensure(!is_host(node), "the node is a switch");
  return node.index() - hosts_;
}

SwitchPlace Topology::switch_place(NodeId node) const {
  const std::size_t number = switch_number(node);
  const std::vector<Tier> all = tiers();
  const std::size_t tier = tier_of(all, number);
  return {.tier = tier, .index = number - all[tier].first_switch};
}

std::string Topology::switch_word(NodeId node) const {
  return fmt::format("S{}", switch_number(node));
}

Port Topology::spread_port(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  return Port((to.index() + hosts_ - from.index()) % hosts_ % ports_per_host_);
}

std::vector<Hop> Topology::route(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  return route(from, to, arrival_port(from, to));
}

std::vector<Hop> Topology::route(Rank from, Rank to, Port to_port) const {
  ensure(from != to, "a route needs two hosts");
  ensure(from.index() < hosts_ && to.index() < hosts_, "both hosts are the wiring's");
  ensure(to_port.index() < ports_per_host_, "a host has the port");
  std::vector<Hop> hops;
  hops.reserve(8);  // most routes are no longer
  for (NodeId at = host(from); at != host(to);) {
    ensure(hops.size() < hosts_ + switches_, "a route does not pass a node twice");
    const Attachment out{at, next_port_of_flow(at, from, to, to_port)};
    const LinkId link = link_at(out);
    const Hop hop{link, links_[link.index()].a == out};
    hops.push_back(hop);
    at = arrival(hop).node;
  }
  return hops;
}

}  // namespace gradwire::topologies
