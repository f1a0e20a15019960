#include "topologies/bcube.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/gray.h"

namespace gradwire::topologies {

BCube::BCube(std::size_t n, std::size_t k) : BCube(Digits(n, k)) {}

BCube::BCube(Digits digits)
    : Topology(fmt::format("bcube({},{})", digits.n(), digits.k()), digits.count(), digits.k(),
               digits.k() * digits.power(digits.k() - 1), digits.n()),
      digits_(std::move(digits)) {
  const std::size_t switches_per_level = digits_.power(k() - 1);
  for (std::size_t number = 0; number < hosts(); ++number) {
    const Rank rank(number);
    for (std::size_t level = 0; level < k(); ++level) {
      const std::size_t peer = level * switches_per_level + digits_.without_digit(rank, level);
      connect({host(rank), Port(level)}, {switch_node(peer), Port(digit(rank, level))});
    }
  }
}

std::string BCube::label(NodeId node) const {
  if (!is_host(node)) {
    const SwitchPlace place = switch_place(node);
    return fmt::format("level {} switch {}", place.tier, place.index);
  }
  std::string text;
  for (std::size_t level = k(); level-- > 0;) {
    text += fmt::format("{}{}", digit(Rank(node.index()), level), level > 0 ? "," : "");
  }
  return text;
}

std::vector<Tier> BCube::tiers() const {
  const std::size_t per_level = digits_.power(k() - 1);
  std::vector<Tier> tiers;
  for (std::size_t level = 0; level < k(); ++level) {
    tiers.push_back({fmt::format("level {}", level), level * per_level, per_level});
  }
  return tiers;
}

SwitchPlace BCube::switch_place(NodeId node) const {
  const std::size_t per_level = digits_.power(k() - 1);
  const std::size_t number = switch_number(node);
  return {.tier = number / per_level, .index = number % per_level};
}

std::string BCube::switch_word(NodeId node) const {
  const SwitchPlace place = switch_place(node);
  return fmt::format("L{}-{}", place.tier, place.index);
}

RingPlace BCube::ring_place(Rank rank, std::size_t ring) const {
  const std::size_t index = gray_index(digits_, rank, ring);
  return {.index = index,
          .left = gray_rank(digits_, (index + hosts() - 1) % hosts(), ring),
          .right = gray_rank(digits_, (index + 1) % hosts(), ring)};
}

Port BCube::ring_port(Rank from, Rank to, std::size_t) const {
  return arrival_port(from, to);
}

Port BCube::next_port(NodeId at, Rank to, Port to_port) const {
  if (!is_host(at)) {
    return Port(digit(to, switch_place(at).tier));
  }
  const Rank here(at.index());
  ensure(here != to, "a host does not route to itself");
  for (std::size_t level = k(); level-- > 0;) {
    if (level != to_port.index() && digit(here, level) != digit(to, level)) return Port(level);
  }
  return to_port;
}

Port BCube::arrival_port(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  std::size_t level = 0;
  while (digit(from, level) == digit(to, level)) ++level;
  return Port(level);
}

Digits require_bcube(const Topology& topology, std::string_view algorithm) {
  const auto digits = topology.bcube_digits();
  if (!digits) {
    throw InputError(
        fmt::format("{} runs on bcube(n,k) only, not on {}", algorithm, topology.name()));
  }
  return *digits;
}

bool translates_digits(const Topology& topology) {
  const auto digits = topology.bcube_digits();
  return digits && topology.translation() == std::vector<std::size_t>(digits->k(), digits->n());
}

}  // namespace gradwire::topologies
