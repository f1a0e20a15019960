#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "simulator/flows.h"
#include "topologies/topology.h"

/// Links with flows on them. Random ones are the same on every machine: only whole numbers are
/// drawn, and never through a distribution of the standard library.
namespace gradwire::simulator::testing {

struct Instance {
  std::vector<double> capacities;  ///< bytes per second, by directed link
  std::vector<TimedFlow> flows;    ///< whole bytes
};

/// Draws of whole numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  /// From 0..end-1. Requires end > 0.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  /// From first..last.
  std::size_t between(std::size_t first, std::size_t last) {
    return first + below(last - first + 1);
  }
  /// 1.00..9.99 times 10^4, 10^5 or 10^6: bytes over three decades.
  double bytes() {
    constexpr std::array kDecades{100.0, 1e3, 1e4};
    const double decade = kDecades.at(below(kDecades.size()));
    return decade * static_cast<double>(between(100, 999));
  }
  /// `count` different numbers below `end`. Requires count <= end.
  std::vector<std::size_t> choose(std::size_t count, std::size_t end) {
    std::vector<std::size_t> all(end);
    for (std::size_t i = 0; i < end; ++i) all[i] = i;
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[between(i, end - 1)]);
    all.resize(count);
    return all;
  }

 private:
  std::mt19937_64 random_;
};

/// 2..12 links of 1..100 MB/s, 1..30 flows over 1..5 of them. Of the flows a third starts at 0, a
/// third at one of three moments, a third anywhere within a second.
inline Instance random_instance(std::uint64_t seed) {
  Draws draws(seed);
  Instance instance;
  instance.capacities.resize(draws.between(2, 12));
  for (double& capacity : instance.capacities) {
    capacity = 1e6 * static_cast<double>(draws.between(1, 100));
  }
  instance.flows.resize(draws.between(1, 30));
  const std::size_t links = instance.capacities.size();
  for (TimedFlow& flow : instance.flows) {
    flow.links = draws.choose(draws.between(1, links < 5 ? links : 5), links);
    flow.bytes = draws.bytes();
    const std::size_t kind = draws.below(3);
    if (kind == 1) flow.start = 0.05 * static_cast<double>(draws.between(1, 3));
    if (kind == 2) flow.start = 1e-6 * static_cast<double>(draws.below(1'000'000));
  }
  return instance;
}

/// The push of a parameter server where every rank is both: every rank sends `bytes(from, to)` to
/// every other one along the wiring's route, all at once. Directed link 2l is link l from a to b,
/// 2l + 1 the other way. Every link carries 1 GB/s each way.
template <class Bytes>
Instance ps_push(const topologies::Topology& topology, Bytes bytes) {
  Instance instance{.capacities = std::vector<double>(2 * topology.links().size(), 1e9)};
  for (std::size_t from = 0; from < topology.hosts(); ++from) {
    for (std::size_t to = 0; to < topology.hosts(); ++to) {
      if (from == to) continue;
      TimedFlow flow{.bytes = bytes(Rank(from), Rank(to))};
      for (const topologies::Hop& hop : topology.route(Rank(from), Rank(to))) {
        flow.links.push_back(2 * hop.link.index() + (hop.from_a ? 0 : 1));
      }
      instance.flows.push_back(std::move(flow));
    }
  }
  return instance;
}

}  // namespace gradwire::simulator::testing
