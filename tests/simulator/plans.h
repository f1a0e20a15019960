#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bml/plan.h"
#include "collectives/binary_blocks.h"
#include "collectives/byteps.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "core/error.h"
#include "core/plan.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "simulator/fabric.h"
#include "simulator/simulation.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

/// Plans to simulate, of every algorithm and by hand.
namespace gradwire::simulator::testing {

using topologies::make_topology;
using topologies::Topology;

/// One element per second: an element count is a time, and T_F is the number of elements.
inline constexpr NetworkModel kElementPerSecond{.rate = sizeof(float)};

using MakePlan = std::function<Plan(const Topology&, Rank, std::size_t elements)>;

/// Every algorithm, each also with what makes its Plan another one.
inline const std::map<std::string, MakePlan>& algorithms() {
  using T = const Topology&;
  using N = std::size_t;
  static const std::map<std::string, MakePlan> all{
      {"bml", [](T t, Rank r, N e) { return bml::plan(t, r, e); }},
      {"double-tree",
       [](T t, Rank r, N e) { return collectives::double_binary_tree::plan(t, r, e); }},
      {"halving-doubling",
       [](T t, Rank r, N e) { return collectives::binary_blocks::plan(t, r, e); }},
      {"halving-doubling(fold)",
       [](T t, Rank r, N e) { return collectives::halving_doubling::plan(t, r, e); }},
      {"hierarchical", [](T t, Rank r, N e) { return collectives::hierarchical::plan(t, r, e); }},
      {"hierarchical(groups=2)",
       [](T t, Rank r, N e) { return collectives::hierarchical::plan(t, r, e, {.groups = {2}}); }},
      {"ps", [](T t, Rank r, N e) { return ps::plan(t, r, e); }},
      {"ps(servers=2)", [](T t, Rank r, N e) { return ps::plan(t, r, e, {.servers = 2}); }},
      {"ps(servers=2, dedicated)",
       [](T t, Rank r, N e) { return ps::plan(t, r, e, {.servers = 2, .dedicated = true}); }},
      {"ps(byteps, servers=2)",
       [](T t, Rank r, N e) { return collectives::byteps::plan(t, r, e, {.servers = 2}); }},
      {"ring", [](T t, Rank r, N e) { return ringallreduce::plan(t, r, e); }},
      {"ring(pieces=3)",
       [](T t, Rank r, N e) { return ringallreduce::plan(t, r, e, {.pieces = 3}); }},
      {"staged-bcube", [](T t, Rank r, N e) { return collectives::staged_bcube::plan(t, r, e); }},
      {"striped-rings", [](T t, Rank r, N e) { return collectives::striped_rings::plan(t, r, e); }},
  };
  return all;
}

inline std::vector<Plan> plans_of(const std::string& algorithm, const Topology& topology,
                                  std::size_t elements) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(algorithms().at(algorithm)(topology, Rank(i), elements));
  }
  return plans;
}

/// Whether the algorithm runs on the wiring.
inline bool fits(const std::string& algorithm, const Topology& topology) {
  try {
    static_cast<void>(plans_of(algorithm, topology, topology.hosts()));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Seconds until the last rank is done, everybody simulated.
inline double time_of(const Topology& topology, std::vector<Plan> plans,
                      const NetworkModel& model = kElementPerSecond) {
  return simulate(WholeFabric(topology), std::move(plans), model).end_of(0);
}

inline double time_of(const std::string& algorithm, const std::string& wiring, std::size_t elements,
                      const NetworkModel& model = kElementPerSecond) {
  const auto topology = make_topology(wiring);
  return time_of(*topology, plans_of(algorithm, *topology, elements), model);
}

/// A rank as others name it where everybody has one port.
inline Peer peer(std::size_t rank) {
  return {.rank = Rank(rank), .via = Port(0), .at = Port(0)};
}

inline Send send(std::size_t to, Extent what) {
  return {.to = peer(to), .what = what};
}

inline Recv receive(std::size_t from, Extent where, Combine how = Combine::replace) {
  return {.from = peer(from), .where = where, .how = how};
}

/// Single-lane Plans, by rank.
inline std::vector<Plan> plans_of(const std::vector<Lane>& lanes) {
  std::vector<Plan> plans;
  for (const Lane& lane : lanes) plans.push_back({.lanes = {lane}});
  return plans;
}

}  // namespace gradwire::simulator::testing
