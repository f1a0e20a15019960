#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/topologies/wirings.h"
#include "topologies/address_plan.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/registry.h"

/// What wirings say of how they are built: rings, groups, places of switches, words, addresses.
namespace gradwire::topologies {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Structure : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<const Topology> topology_ = make_topology(GetParam());
};

// Each of k rings goes through every host once: places are 0..N-1, and one's right neighbour, one
// place on, has it for its left.
TEST_P(Structure, RingsGoThroughEveryHostOnce) {
  const std::size_t hosts = topology_->hosts();
  for (std::size_t ring = 0; ring < topology_->ports_per_host(); ++ring) {
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < hosts; ++i) {
      const RingPlace place = topology_->ring_place(Rank(i), ring);
      const RingPlace next = topology_->ring_place(place.right, ring);
      EXPECT_TRUE(places.insert(place.index).second);
      EXPECT_EQ(next.index, (place.index + 1) % hosts);
      EXPECT_EQ(next.left, Rank(i));
    }
    EXPECT_EQ(*places.rbegin(), hosts - 1);
  }
}

// The bytes of ring t arrive at the port that the ring names, where the wiring has a way to it.
TEST_P(Structure, RingPortsAreReached) {
  for (std::size_t ring = 0; ring < topology_->ports_per_host(); ++ring) {
    const RingPlace place = topology_->ring_place(Rank(0), ring);
    const Port port = topology_->ring_port(Rank(0), place.right, ring);
    ASSERT_LT(port.index(), topology_->ports_per_host());
    if (topology_->switches() == 0) continue;  // a torus relays
    const auto route = topology_->route(Rank(0), place.right, port);
    EXPECT_EQ(topology_->arrival(route.back()), (Attachment{topology_->host(place.right), port}));
  }
}

// Every switch has a place and a word of its own. The place is in the switch's tier, and the word
// is a valid host name.
TEST_P(Structure, SwitchesHavePlacesAndWordsOfTheirOwn) {
  const std::vector<Tier> tiers = topology_->tiers();
  std::set<SwitchPlace> places;
  std::set<std::string> words;
  for (std::size_t number = 0; number < topology_->switches(); ++number) {
    const NodeId node = topology_->switch_node(number);
    const SwitchPlace place = topology_->switch_place(node);
    EXPECT_EQ(place.tier, tier_of(tiers, number));
    EXPECT_TRUE(places.insert(place).second);
    const std::string word = topology_->switch_word(node);
    EXPECT_TRUE(words.insert(word).second) << word;
    EXPECT_THAT(word, MatchesRegex("[A-Z][A-Z0-9-]*[0-9]"));
  }
  EXPECT_THROW((void)topology_->switch_place(NodeId(0)), InternalError);
  EXPECT_THROW((void)topology_->switch_word(NodeId(0)), InternalError);
}

// Groups multiply up to all hosts; those of the lowest level share a switch.
TEST_P(Structure, GroupsMakeUpTheHosts) {
  const std::vector<std::size_t> sizes = topology_->group_sizes();
  if (sizes.empty()) return;
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>{}),
            topology_->hosts());
  for (std::size_t host = 0; host < topology_->hosts(); ++host) {
    const std::size_t first = host / sizes.front() * sizes.front();
    EXPECT_EQ(topology_->opposite({NodeId(host), Port(0)}).node,
              topology_->opposite({NodeId(first), Port(0)}).node);
  }
}

// A wiring has addresses just when it names a scheme: these are all small enough for theirs.
TEST_P(Structure, AddressesFollowTheScheme) {
  EXPECT_EQ(topology_->addressing() != Addressing::none, why_no_addresses(*topology_).empty());
}

INSTANTIATE_TEST_SUITE_P(Wirings, Structure, ::testing::ValuesIn(testing::wirings()));

// Neighbours in every ring of a BCube are one switch, two hops, apart.
TEST(BCubeStructure, RingNeighboursShareASwitch) {
  const BCube cube(3, 3);
  for (std::size_t ring = 0; ring < 3; ++ring) {
    for (std::size_t i = 0; i < cube.hosts(); ++i) {
      const Rank right = cube.ring_place(Rank(i), ring).right;
      const Port port = cube.ring_port(Rank(i), right, ring);
      EXPECT_EQ(cube.route(Rank(i), right, port).size(), 2u);
    }
  }
}

TEST(BCubeStructure, OnlyABCubeHasItsDigits) {
  const auto digits = make_topology("bcube(3,2)")->bcube_digits();
  ASSERT_TRUE(digits.has_value());
  EXPECT_EQ(digits->n(), 3u);
  EXPECT_EQ(digits->k(), 2u);
  for (const char* name : {"single-switch(9)", "fat-tree(4)", "rail-only(3,2)", "torus(3,3)"}) {
    EXPECT_FALSE(make_topology(name)->bcube_digits().has_value()) << name;
  }
}

TEST(BCubeStructure, AnAlgorithmForBCubesAloneSaysSo) {
  EXPECT_EQ(require_bcube(BCube(3, 2), "bml").count(), 9u);
  try {
    (void)require_bcube(*make_topology("fat-tree(4)"), "bml");
    ADD_FAILURE() << "a Fat-Tree is no BCube";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bml runs on bcube(n,k) only, not on fat-tree(4)"));
  }
}

// By hand: level 1's switch 2 of BCube(3,2); pod 2's of Fat-Tree(4), whose core serves two
// aggregation switches of each pod, and the second of two planes.
TEST(SwitchPlace, ByHand) {
  const auto cube = make_topology("bcube(3,2)");
  EXPECT_EQ(cube->switch_place(cube->switch_node(5)), (SwitchPlace{.tier = 1, .index = 2}));
  EXPECT_EQ(cube->switch_word(cube->switch_node(5)), "L1-2");
  const auto tree = make_topology("fat-tree(4)");
  const auto place = [&](std::size_t number) {
    return tree->switch_place(tree->switch_node(number));
  };
  EXPECT_EQ(place(5), (SwitchPlace{.tier = 0, .group = 2, .index = 1}));
  EXPECT_EQ(place(8 + 5), (SwitchPlace{.tier = 1, .group = 2, .index = 1}));
  EXPECT_EQ(place(16 + 3), (SwitchPlace{.tier = 2, .group = 1, .index = 1}));
  const auto planes = make_topology("fat-tree(4,nics=2)");
  const NodeId second = planes->switch_node(8 + 5);
  EXPECT_EQ(planes->switch_place(second), (SwitchPlace{.tier = 0, .group = 6, .index = 1}));
  EXPECT_EQ(planes->switch_word(second), "N1-P2-E1");
  const auto rails = make_topology("rail-optimised(3,2,2,3)");
  EXPECT_EQ(rails->switch_place(rails->switch_node(3)), (SwitchPlace{.group = 1, .index = 1}));
}

TEST(Groups, ByHand) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(BCube(3, 2).group_sizes(), (Sizes{3, 3}));
  EXPECT_EQ(FatTree(4).group_sizes(), (Sizes{2, 2, 4}));
  EXPECT_EQ(make_topology("leaf-spine(3,4,2)")->group_sizes(), Sizes{});
}

}  // namespace
}  // namespace gradwire::topologies
