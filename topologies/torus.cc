#include "topologies/torus.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

std::string name_of(std::span<const std::size_t> sides) {
  return fmt::format("torus({})", fmt::join(sides, ","));
}

std::size_t checked_hosts(std::span<const std::size_t> sides) {
  ensure(sides.size() == 2 || sides.size() == 3, "a torus has two or three sides");
  for (const std::size_t side : sides) {
    if (side < 2) {
      throw InputError(fmt::format("{}: every side must be at least 2", name_of(sides)));
    }
  }
  return checked_product(name_of(sides), "hosts", kMaxHosts, sides);
}

Port plus(std::size_t dimension) {
  return Port(2 * dimension);
}

Port minus(std::size_t dimension) {
  return Port(2 * dimension + 1);
}

}  // namespace

Torus::Torus(std::span<const std::size_t> sides)
    : Topology(name_of(sides), checked_hosts(sides), 2 * sides.size(), 0, 0),
      sides_(sides.begin(), sides.end()) {
  std::size_t stride = 1;
  for (const std::size_t side : sides_) {
    strides_.push_back(stride);
    stride *= side;
  }
  for (std::size_t number = 0; number < hosts(); ++number) {
    for (std::size_t d = 0; d < sides_.size(); ++d) {
      connect({NodeId(number), plus(d)}, {NodeId(neighbour(number, d)), minus(d)});
    }
  }
}

std::size_t Torus::coordinate(Rank rank, std::size_t dimension) const {
  return rank.index() / strides_[dimension] % sides_[dimension];
}

std::size_t Torus::neighbour(std::size_t host, std::size_t dimension) const {
  const std::size_t here = coordinate(Rank(host), dimension);
  const std::size_t next = (here + 1) % sides_[dimension];
  return host - here * strides_[dimension] + next * strides_[dimension];
}

std::size_t Torus::ahead(Rank from, Rank to, std::size_t dimension) const {
  const std::size_t side = sides_[dimension];
  return (coordinate(to, dimension) + side - coordinate(from, dimension)) % side;
}

std::string Torus::label(NodeId node) const {
  std::string text;
  for (std::size_t d = sides_.size(); d-- > 0;) {
    text += fmt::format("{}{}", coordinate(Rank(node.index()), d), d > 0 ? "," : "");
  }
  return text;
}

Port Torus::next_port(NodeId at, Rank to, Port to_port) const {
  const Rank here(at.index());
  ensure(here != to, "a host does not route to itself");
  const std::size_t last = to_port.index() / 2;
  for (std::size_t d = sides_.size(); d-- > 0;) {
    const std::size_t steps = ahead(here, to, d);
    if (d != last && steps != 0) return 2 * steps <= sides_[d] ? plus(d) : minus(d);
  }
  const std::size_t twice = 2 * ahead(here, to, last);
  const bool arrives_from_plus = to_port == plus(last);
  if (twice == sides_[last]) return arrives_from_plus ? minus(last) : plus(last);
  return twice < sides_[last] ? plus(last) : minus(last);
}

Port Torus::arrival_port(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  std::size_t d = 0;
  while (ahead(from, to, d) == 0) ++d;
  return 2 * ahead(from, to, d) <= sides_[d] ? minus(d) : plus(d);
}

}  // namespace gradwire::topologies
