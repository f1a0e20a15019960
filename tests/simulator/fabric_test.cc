#include "simulator/fabric.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/simulator/plans.h"
#include "topologies/peers.h"
#include "topologies/registry.h"

/// Who meets whom, over which links.
namespace gradwire::simulator {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::make_topology;

// t(t(r, b), inverse(b)) = r, for all r and b; nothing moves rank 0 to 0 but itself.
TEST(Translation, InverseUndoes) {
  for (const std::vector<std::size_t>& radices :
       {std::vector<std::size_t>{7}, {3, 3}, {2, 2, 2}, {4, 2, 3}}) {
    std::size_t ranks = 1;
    for (const std::size_t radix : radices) ranks *= radix;
    for (std::size_t by = 0; by < ranks; ++by) {
      EXPECT_EQ(translated(Rank(by), inverse(Rank(by), radices), radices), Rank(0));
      EXPECT_EQ(translated(Rank(0), Rank(by), radices), Rank(by));
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const Rank moved = translated(Rank(rank), Rank(by), radices);
        EXPECT_EQ(translated(moved, inverse(Rank(by), radices), radices), Rank(rank));
      }
    }
  }
}

// 5 = 1,2 and 7 = 2,1 in base 3, the last digit first: 2,1 + 1,2 = 0,0 without carry.
TEST(Translation, DigitByDigitWithoutCarry) {
  const std::size_t radices[] = {3, 3};
  EXPECT_EQ(translated(Rank(5), Rank(7), radices), Rank(0));
  EXPECT_EQ(translated(Rank(5), Rank(4), radices), Rank(6));
  EXPECT_EQ(inverse(Rank(5), radices), Rank(7));
}

// Whom a channel meets meets it: opposite(opposite) is where one began.
TEST(Fabric, MeetingIsMutual) {
  for (const char* wiring : {"bcube(3,2)", "torus(4,3)", "rail-only(5,3)", "single-switch(4)"}) {
    const auto topology = make_topology(wiring);
    const WholeFabric whole(*topology);
    const FoldedFabric folded(*topology);
    for (std::size_t to = 1; to < topology->hosts(); ++to) {
      const Peer peer = topologies::send_peer(*topology, Rank(0), Rank(to));
      const ChannelEnd end = whole.opposite(0, peer);
      EXPECT_EQ(end.actor, to);
      EXPECT_EQ(end.as, topologies::receive_peer(*topology, Rank(to), Rank(0))) << wiring;
      EXPECT_EQ(whole.opposite(to, end.as).as, peer);
      EXPECT_EQ(folded.opposite(0, folded.opposite(0, peer).as).as, peer);
    }
  }
}

/// How often a route crosses links, by link.
std::vector<std::size_t> crossings(const Fabric& fabric, std::size_t actor, const Peer& peer,
                                   std::vector<std::size_t> times) {
  for (const LinkUse& use : fabric.route(actor, peer)) times.at(use.link) += use.times;
  return times;
}

// All pairs: what rank 0's folded routes put on a port's two links, all ranks' put on that port's
// links of every host.
TEST(Fabric, FoldedLinksCarryWhatEveryHostsDo) {
  for (const char* wiring : {"bcube(3,2)", "bcube(2,3)", "rail-only(5,3)", "single-switch(4)"}) {
    const auto topology = make_topology(wiring);
    const WholeFabric whole(*topology);
    const FoldedFabric folded(*topology);
    std::vector<std::size_t> by_cable(whole.speeds().size());
    std::vector<std::size_t> by_port(folded.speeds().size());
    for (std::size_t from = 0; from < topology->hosts(); ++from) {
      for (std::size_t to = 0; to < topology->hosts(); ++to) {
        if (from == to) continue;
        const Peer peer = topologies::send_peer(*topology, Rank(from), Rank(to));
        by_cable = crossings(whole, from, peer, std::move(by_cable));
        if (from == 0) by_port = crossings(folded, 0, peer, std::move(by_port));
      }
    }
    for (std::size_t host = 0; host < topology->hosts(); ++host) {
      for (std::size_t port = 0; port < topology->ports_per_host(); ++port) {
        const std::size_t cable =
            topology->link_at({topology->host(Rank(host)), Port(port)}).index();
        EXPECT_EQ(by_cable[2 * cable], by_port[2 * port]) << wiring;
        EXPECT_EQ(by_cable[2 * cable + 1], by_port[2 * port + 1]) << wiring;
      }
    }
  }
}

// On a torus of sides 5 the way from 0 to 2,2 leaves hosts four times, twice by each + port.
TEST(Fabric, ARelayedFlowCrossesAFoldedLinkSeveralTimes) {
  const auto topology = make_topology("torus(5,5)");
  const FoldedFabric folded(*topology);
  const Peer peer = topologies::send_peer(*topology, Rank(0), Rank(12));
  EXPECT_THAT(crossings(folded, 0, peer, std::vector<std::size_t>(8)),
              ElementsAre(2, 0, 0, 0, 2, 0, 0, 0));
}

// Two directed links per cable, both as fast as it.
TEST(Fabric, SpeedsAreTheCables) {
  const auto topology = make_topology("leaf-spine(2,2,1,speed=2.5)");
  EXPECT_THAT(WholeFabric(*topology).speeds(),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 2.5, 2.5, 2.5, 2.5));
  EXPECT_THAT(FoldedFabric(*make_topology("rail-only(4,3)")).speeds(), Each(1));
}

TEST(Fabric, OnlyAWiringWithATranslationIsFolded) {
  const auto topology = make_topology("fat-tree(4)");
  EXPECT_THROW(FoldedFabric{*topology}, InternalError);
}

// Bytes from 0 to 1 of a BCube leave through port 0.
TEST(Fabric, AWrongPortIsABug) {
  const auto topology = make_topology("bcube(3,2)");
  const Peer wrong{.rank = Rank(1), .via = Port(1), .at = Port(0)};
  EXPECT_THROW((void)WholeFabric(*topology).route(0, wrong), InternalError);
  EXPECT_THROW((void)FoldedFabric(*topology).route(0, wrong), InternalError);
}

}  // namespace
}  // namespace gradwire::simulator
