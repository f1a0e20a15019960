#include "topologies/topology.h"

#include <utility>

#include "core/error.h"

namespace gradwire::topologies {

Topology::Topology(std::string name, std::size_t hosts, std::size_t ports_per_host,
                   std::size_t switches, std::size_t ports_per_switch)
    : name_(std::move(name)),
      hosts_(hosts),
      ports_per_host_(ports_per_host),
      switches_(switches),
      ports_per_switch_(ports_per_switch),
      link_of_slot_(hosts * ports_per_host + switches * ports_per_switch) {}

std::size_t Topology::slot(Attachment attachment) const {
  const std::size_t node = attachment.node.index();
  const std::size_t port = attachment.port.index();
  if (is_host(attachment.node)) {
    ensure(port < ports_per_host_, "a host has no such port");
    return node * ports_per_host_ + port;
  }
  ensure(node - hosts_ < switches_, "the wiring has no such node");
  ensure(port < ports_per_switch_, "a switch has no such port");
  return hosts_ * ports_per_host_ + (node - hosts_) * ports_per_switch_ + port;
}

void Topology::connect(Attachment a, Attachment b) {
  ensure(a != b, "a cable needs two ends");
  ensure(is_host(a.node) || !is_host(b.node), "a cable's host end is its first");
  std::uint32_t& at_a = link_of_slot_[slot(a)];
  std::uint32_t& at_b = link_of_slot_[slot(b)];
  ensure(at_a == 0 && at_b == 0, "a port takes one cable");
  links_.push_back({a, b});
  at_a = at_b = static_cast<std::uint32_t>(links_.size());
}

LinkId Topology::link_at(Attachment attachment) const {
  const std::uint32_t link = link_of_slot_[slot(attachment)];
  ensure(link != 0, "no cable is attached to the port");
  return LinkId(link - 1);
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

std::vector<Hop> Topology::route(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  return route(from, to, arrival_port(from, to));
}

std::vector<Hop> Topology::route(Rank from, Rank to, Port to_port) const {
  ensure(from != to, "a route needs two hosts");
  ensure(from.index() < hosts_ && to.index() < hosts_, "the wiring has no such host");
  ensure(to_port.index() < ports_per_host_, "a host has no such port");
  std::vector<Hop> hops;
  for (NodeId at = host(from); at != host(to);) {
    ensure(hops.size() < hosts_ + switches_, "a route does not pass a node twice");
    const Attachment out{at, next_port(at, to, to_port)};
    const LinkId link = link_at(out);
    const Hop hop{link, links_[link.index()].a == out};
    hops.push_back(hop);
    at = arrival(hop).node;
  }
  return hops;
}

}  // namespace gradwire::topologies
