#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/all_reduces.h"
#include "core/error.h"
#include "simulator/symmetry.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

/// What algorithms say of themselves, that their ranks are alike, held against a comparison of all
/// Plans: Algorithm::ranks_are_alike => is_symmetric.
namespace gradwire::algorithms {
namespace {

using testing::named;
using topologies::make_topology;
using topologies::Topology;

/// Every name under which a row that says something can be asked, with each option that changes
/// its Plans.
const std::vector<std::string> kCalls{
    "bml",
    "ps",
    "ps(pieces=3)",
    "ps(servers=2)",
    "ps(servers=9)",
    "ps(servers=2, dedicated)",
    "ps(fixed-order)",
    "ps(byteps)",
    "ps(byteps, servers=2)",
    "ring",
    "ring(pieces=3)",
    "ring(fixed-order)",
    "ring(order=0-2-1-3)",
    "staged-bcube",
    "striped-rings",
};

/// The wirings of the experiments that come with the program, of all kinds' examples, and small ones
/// of every kind down to two hosts and sides of two, as far as they have a translation and 256 hosts
/// at most: beyond, comparing all Plans takes too long.
std::vector<std::unique_ptr<const Topology>> wirings() {
  std::set<std::string> names{
      "bcube(2,1)",     "bcube(5,1)",     "bcube(2,2)",     "bcube(3,3)",     "bcube(2,4)",
      "rail-only(2,2)", "rail-only(5,3)", "rail-only(9,2)", "rail-only(4,1)", "torus(2,2)",
      "torus(3,2)",     "torus(4,4)",     "torus(2,2,2)",   "torus(4,2,3)"};
  for (const topologies::WiringKind& kind : topologies::wiring_kinds()) {
    if (!kind.is_file) names.emplace(kind.example);
  }
  const std::regex form("(bcube|single-switch|rail-only|torus)\\([0-9, ]+\\)");
  for (const auto& entry : std::filesystem::directory_iterator(GRADWIRE_ROOT "/experiments")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at) {
      names.insert(make_topology(at->str())->name());
    }
  }
  std::vector<std::unique_ptr<const Topology>> all;
  for (const std::string& name : names) {
    auto topology = make_topology(name);
    if (topology->translation() && topology->hosts() <= 256) all.push_back(std::move(topology));
  }
  return all;
}

/// None, fewer than there are ranks, primes, and multiples of N and k N with one more and one less.
/// Of many ranks three: comparing them takes long.
std::set<std::size_t> amounts(const Topology& topology) {
  const std::size_t ranks = topology.hosts();
  const std::size_t unit = ranks * topology.ports_per_host();
  if (ranks > 64) return {5 * ranks + 1, 7919, 12 * unit};
  std::set<std::size_t> all{0, 1, 2, 3, 7, 97, 7919};
  for (const std::size_t even : {ranks, 5 * ranks, unit, 12 * unit}) {
    all.insert({even - 1, even, even + 1});
  }
  return all;
}

bool says_so(const std::string& call, const Topology& topology, std::size_t elements) {
  return named(call, topology).ranks_are_alike({.elements = elements});
}

bool is_so(const std::string& call, const Topology& topology, std::size_t elements) {
  const Algorithm algorithm = named(call, topology);
  return simulator::is_symmetric(
      topology, [&](Rank rank) { return algorithm.plan(rank, {.elements = elements}); });
}

/// An algorithm may refuse a wiring or an option there: then it has no Plans to speak of.
bool refuses(const std::string& call, const Topology& topology) {
  try {
    static_cast<void>(named(call, topology).plan(Rank(0), {.elements = topology.hosts()}));
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(Alike, EveryRowThatSaysSomethingIsHeldToIt) {
  const auto four = make_topology("single-switch(4)");
  const auto bcube = make_topology("bcube(3,2)");
  std::size_t rows = 0;
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    const std::string name(kind.name);
    if (!says_so(name, *four, 360) && !says_so(name, *bcube, 360)) continue;
    EXPECT_TRUE(std::ranges::find(kCalls, name) != kCalls.end()) << name;
    ++rows;
  }
  EXPECT_EQ(rows, 5u);
}

TEST(Alike, WhatIsSaidIsSo) {
  std::size_t said = 0;
  for (const auto& topology : wirings()) {
    for (const std::string& call : kCalls) {
      if (refuses(call, *topology)) continue;
      for (const std::size_t elements : amounts(*topology)) {
        if (!says_so(call, *topology, elements)) continue;
        ++said;
        ASSERT_TRUE(is_so(call, *topology, elements))
            << call << " on " << topology->name() << ", " << elements << " elements";
      }
    }
  }
  EXPECT_GT(said, 500u);
}

// k N m elements: ps says so wherever there is a translation, ring where it is a rotation, bml on
// every BCube. One element more divides no more, and neither is it said nor is it so.
TEST(Alike, EvenSharesAreSaidToBeAlike) {
  for (const auto& topology : wirings()) {
    const std::size_t even = 12 * topology->hosts() * topology->ports_per_host();
    std::vector<std::string> calls{"ps", "ps(pieces=3)"};
    if (topology->translation()->size() == 1) {
      calls.insert(calls.end(), {"ring", "ring(pieces=3)", "striped-rings"});
    }
    if (topology->bcube_digits()) calls.insert(calls.end(), {"bml", "staged-bcube"});
    for (const std::string& call : calls) {
      SCOPED_TRACE(call + " on " + topology->name());
      EXPECT_TRUE(says_so(call, *topology, even));
      EXPECT_FALSE(says_so(call, *topology, even + 1));
      EXPECT_FALSE(is_so(call, *topology, even + 1));
    }
  }
}

// Servers and others, sums that go from rank to rank, a Gray code's turns, no translation, and what
// no row of ours makes.
TEST(Alike, NothingIsSaidOfTheRest) {
  for (const auto& [call, wiring] : std::vector<std::pair<std::string, std::string>>{
           {"ps(servers=2)", "single-switch(8)"},
           {"ps(servers=2, dedicated)", "single-switch(8)"},
           {"ps(byteps)", "single-switch(8)"},
           {"ps(byteps, servers=2)", "single-switch(8)"},
           {"ps(fixed-order)", "single-switch(2)"},
           {"ring(fixed-order)", "single-switch(8)"},
           {"ring(order=0-2-1-3)", "single-switch(4)"},
           {"ring", "bcube(2,3)"},
           {"ring", "torus(4,4)"},
           {"ps", "fat-tree(4)"},
           {"ring", "leaf-spine(2,2,1)"},
           {"double-tree", "single-switch(8)"},
           {"reduce-scatter", "single-switch(8)"},
           {"bml", "single-switch(8)"}}) {
    const auto topology = make_topology(wiring);
    const std::size_t even = 12 * topology->hosts() * topology->ports_per_host();
    EXPECT_FALSE(says_so(call, *topology, even)) << call << " on " << wiring;
  }
  const auto eight = make_topology("single-switch(8)");
  EXPECT_TRUE(says_so("ps", *eight, 64));
  EXPECT_FALSE(
      named("ps", *eight, "hybrid(model=lenet5, samples=3)").ranks_are_alike({.elements = 64}));
}

}  // namespace
}  // namespace gradwire::algorithms
