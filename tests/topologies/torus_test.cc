#include "topologies/torus.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire::topologies {
namespace {

const std::vector<std::size_t> kFiveByFour{5, 4};
const std::vector<std::size_t> kSmallest{2, 2, 2};

/// The hosts on the way, without the first.
std::vector<std::size_t> way_on(const Torus& torus, std::size_t from, std::size_t to,
                                Port to_port) {
  std::vector<std::size_t> hosts;
  for (const Hop& hop : torus.route(Rank(from), Rank(to), to_port)) {
    hosts.push_back(torus.arrival(hop).node.index());
  }
  return hosts;
}

TEST(Torus, WiresEveryHostToItsNeighbours) {
  const Torus torus(kFiveByFour);
  EXPECT_EQ(torus.hosts(), 20u);
  EXPECT_EQ(torus.switches(), 0u);
  EXPECT_EQ(torus.ports_per_switch(), 0u);
  EXPECT_TRUE(torus.tiers().empty());
  EXPECT_EQ(torus.links().size(), 40u);
  const auto neighbour = [&](std::size_t host, std::size_t port) {
    return torus.opposite({NodeId(host), Port(port)});
  };
  EXPECT_EQ(torus.label(NodeId(19)), "3,4");
  EXPECT_EQ(neighbour(19, 0), (Attachment{NodeId(15), Port(1)})) << "round the row";
  EXPECT_EQ(neighbour(19, 1), (Attachment{NodeId(18), Port(0)}));
  EXPECT_EQ(neighbour(19, 2), (Attachment{NodeId(4), Port(3)})) << "round the column";
  EXPECT_EQ(neighbour(19, 3), (Attachment{NodeId(14), Port(2)}));
}

TEST(Torus, HasTwoCablesBetweenTheHostsOfASideOfTwo) {
  const Torus torus(kSmallest);
  EXPECT_EQ(torus.links().size(), 24u);
  EXPECT_EQ(torus.opposite({NodeId(1), Port(2)}), (Attachment{NodeId(3), Port(3)}));
  EXPECT_EQ(torus.opposite({NodeId(1), Port(3)}), (Attachment{NodeId(3), Port(2)}));
}

// The other dimension first, then that of the port; each the shorter way round.
TEST(Torus, RoutesTakeTheShorterWayInEachDimension) {
  const Torus torus(kFiveByFour);
  using Way = std::vector<std::size_t>;
  EXPECT_EQ(way_on(torus, 0, 7, Port(1)), (Way{5, 6, 7})) << "up, then two to the right";
  EXPECT_EQ(way_on(torus, 0, 7, Port(3)), (Way{1, 2, 7}));
  EXPECT_EQ(way_on(torus, 0, 18, Port(0)), (Way{15, 19, 18})) << "both round the end";
  EXPECT_EQ(way_on(torus, 0, 10, Port(1)), (Way{5, 10})) << "a tie goes to the + side";
  EXPECT_EQ(way_on(torus, 0, 10, Port(3)), (Way{5, 10})) << "and arrives at the port asked for";
  EXPECT_EQ(way_on(torus, 0, 10, Port(2)), (Way{15, 10}));
  EXPECT_EQ(torus.arrival_port(Rank(0), Rank(10)), Port(3));
  EXPECT_EQ(torus.arrival_port(Rank(0), Rank(3)), Port(0));
  EXPECT_EQ(torus.arrival_port(Rank(0), Rank(12)), Port(1)) << "the lowest dimension comes last";
}

TEST(Torus, NoRouteIsLongerThanHalfOfEverySide) {
  const Torus torus(kFiveByFour);
  const auto around = [](std::size_t a, std::size_t b, std::size_t side) {
    const std::size_t ahead = (b + side - a) % side;
    return std::min(ahead, side - ahead);
  };
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = 0; b < 20; ++b) {
      for (std::size_t port = 0; a != b && port < 4; ++port) {
        EXPECT_EQ(way_on(torus, a, b, Port(port)).size(),
                  around(a % 5, b % 5, 5) + around(a / 5, b / 5, 4));
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::topologies
