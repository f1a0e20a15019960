#include "collectives/staged_bcube.h"

#include <vector>

#include "collectives/nested_groups.h"
#include "topologies/bcube.h"

namespace gradwire::collectives::staged_bcube {

Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements) {
  const topologies::Digits digits = topologies::require_bcube(wiring, "staged-bcube");
  return {
      .lanes = {scatter_and_gather({.topology = wiring,
                                    .self = rank,
                                    .position = rank.index(),
                                    .sizes = std::vector<std::size_t>(digits.k(), digits.n()),
                                    .rank_of = [](std::size_t position) { return Rank(position); }},
                                   elements)},
      .stepping = Stepping::in_order};
}

bool ranks_are_alike(const topologies::Topology& wiring, std::size_t elements) {
  return topologies::translates_digits(wiring) && elements % wiring.hosts() == 0;
}

Parts parts(const topologies::Topology& wiring, std::size_t elements) {
  const topologies::Digits digits = topologies::require_bcube(wiring, "staged-bcube");
  const std::vector<std::size_t> sizes(digits.k(), digits.n());
  Parts parts;
  for (std::size_t i = 0; i < wiring.hosts(); ++i) parts.push_back({part_at(sizes, elements, i)});
  return parts;
}

double closed_form(std::size_t n, std::size_t k) {
  double hosts = 1;
  for (std::size_t level = 0; level < k; ++level) hosts *= static_cast<double>(n);
  return 2 * (hosts - 1) / hosts;
}

}  // namespace gradwire::collectives::staged_bcube
