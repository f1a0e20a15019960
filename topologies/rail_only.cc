#include "topologies/rail_only.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

std::string name_of(std::size_t n, std::size_t k) {
  return fmt::format("rail-only({},{})", n, k);
}

std::size_t checked_hosts(std::size_t n, std::size_t k) {
  const std::string name = name_of(n, k);
  if (n < 2) throw InputError(fmt::format("{}: n must be at least 2", name));
  (void)checked_product(name, "cables", kMaxCables, {n, k});
  return checked_product(name, "hosts", kMaxHosts, {n});
}

}  // namespace

RailOnly::RailOnly(std::size_t n, std::size_t k)
    : Topology(name_of(n, k), checked_hosts(n, k), k, k, n) {
  for (std::size_t number = 0; number < n; ++number) {
    for (std::size_t rail = 0; rail < k; ++rail) {
      connect({NodeId(number), Port(rail)}, {switch_node(rail), Port(number)});
    }
  }
}

std::string RailOnly::label(NodeId node) const {
  return is_host(node) ? fmt::format("{}", node.index())
                       : fmt::format("rail {}", node.index() - hosts());
}

std::vector<Tier> RailOnly::tiers() const {
  return {{"rail", 0, switches()}};
}

Port RailOnly::next_port(NodeId at, Rank to, Port to_port) const {
  return is_host(at) ? to_port : Port(to.index());
}

Port RailOnly::arrival_port(Rank from, Rank to) const {
  return spread_port(from, to);
}

std::optional<std::vector<std::size_t>> RailOnly::translation() const {
  return std::vector{hosts()};
}

}  // namespace gradwire::topologies
