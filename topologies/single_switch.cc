#include "topologies/single_switch.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

std::size_t checked_hosts(std::size_t n) {
  if (n < 2) throw InputError(fmt::format("single-switch({}): n must be at least 2", n));
  return checked_product(fmt::format("single-switch({})", n), "hosts", kMaxHosts, {n});
}

}  // namespace

SingleSwitch::SingleSwitch(std::size_t n)
    : Topology(fmt::format("single-switch({})", n), checked_hosts(n), 1, 1, n) {
  for (std::size_t number = 0; number < n; ++number) {
    connect({NodeId(number), Port(0)}, {switch_node(0), Port(number)});
  }
}

std::string SingleSwitch::label(NodeId node) const {
  return is_host(node) ? fmt::format("{}", node.index()) : "switch";
}

std::vector<Tier> SingleSwitch::tiers() const {
  return {{"switch", 0, 1}};
}

Port SingleSwitch::next_port(NodeId at, Rank to, Port) const {
  return is_host(at) ? Port(0) : Port(to.index());
}

Port SingleSwitch::arrival_port(Rank, Rank) const {
  return Port(0);
}

}  // namespace gradwire::topologies
