#include "simulator/routes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "simulator/fabric.h"
#include "simulator/lanes.h"
#include "topologies/fat_tree.h"

/// Routes that are kept are those of the fabric.
namespace gradwire::simulator {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(std::span<const LinkUse> uses) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const LinkUse& use : uses) pairs.emplace_back(use.link, use.times);
  return pairs;
}

/// Asks for all routes several times, and compares them.
void compare(const Fabric& fabric, std::vector<Plan> plans) {
  const Lanes lanes(fabric, std::move(plans));
  Routes routes(fabric);
  ASSERT_FALSE(lanes.channels().empty());
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < lanes.channels().size(); ++i) {
      const Channel& channel = lanes.channels()[i];
      const auto expected = fabric.route(lanes.actor(channel), lanes.peer(channel));
      ASSERT_EQ(pairs(routes.of(lanes, i)), pairs(expected)) << "channel " << i;
    }
  }
}

// Sixteen ranks: a ring's channel carries thirty messages one way and none the other, a parameter
// server's two.
TEST(Routes, AreThoseOfTheFabric) {
  const topologies::FatTree tree(4);
  const WholeFabric fabric(tree);
  std::vector<Plan> ring;
  std::vector<Plan> servers;
  for (std::size_t i = 0; i < tree.hosts(); ++i) {
    ring.push_back(ringallreduce::plan(tree, Rank(i), 1600));
    servers.push_back(ps::plan(tree, Rank(i), 1600));
  }
  compare(fabric, std::move(ring));
  compare(fabric, std::move(servers));
}

}  // namespace
}  // namespace gradwire::simulator
