#include "topologies/peers.h"

#include <memory>

#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

// What the sender calls via, the receiver calls at, and the other way round; the ports are those of
// the route's first and last hop.
TEST(Peers, NameThePortsAtBothEndsOfTheRoute) {
  for (const char* name : {"bcube(3,2)", "bcube(2,3)", "fat-tree(4)", "single-switch(5)",
                           "fat-tree(4,nics=2,ecmp)", "leaf-spine(3,2,2,ecmp)", "rail-only(5,3)",
                           "rail-optimised(2,3,2,2)", "torus(4,3)", "torus(2,3,2)"}) {
    const auto topology = make_topology(name);
    for (std::size_t a = 0; a < topology->hosts(); ++a) {
      for (std::size_t b = 0; b < topology->hosts(); ++b) {
        if (a == b) continue;
        const auto route = topology->route(Rank(a), Rank(b));
        const Port out = topology->departure(route.front()).port;
        const Port in = topology->arrival(route.back()).port;
        EXPECT_EQ(send_peer(*topology, Rank(a), Rank(b)), (Peer{Rank(b), out, in}));
        EXPECT_EQ(receive_peer(*topology, Rank(b), Rank(a)), (Peer{Rank(a), in, out}));
      }
    }
  }
}

// Addressed at a port, bytes travel on that port's plane or rail, so that lanes share no cable.
TEST(Peers, NameAPortToSeparateLanes) {
  for (const char* name : {"fat-tree(4,nics=3)", "rail-only(4,3)", "rail-optimised(2,2,3,1)"}) {
    const auto topology = make_topology(name);
    for (std::size_t lane = 0; lane < 3; ++lane) {
      const Port port(lane);
      EXPECT_EQ(send_peer(*topology, Rank(0), Rank(3), port), (Peer{Rank(3), port, port})) << name;
      EXPECT_EQ(receive_peer(*topology, Rank(3), Rank(0), port), (Peer{Rank(0), port, port}));
    }
  }
}

// On a BCube a port's level comes last: 0,0 reaches port 0 of 1,1 over level 1 first. On a torus
// with a side of 2 a port picks one of the two cables.
TEST(Peers, ToAPortLeaveWhereTheRouteDoes) {
  const auto cube = make_topology("bcube(3,2)");
  EXPECT_EQ(send_peer(*cube, Rank(0), Rank(4), Port(0)), (Peer{Rank(4), Port(1), Port(0)}));
  EXPECT_EQ(send_peer(*cube, Rank(0), Rank(4), Port(1)), (Peer{Rank(4), Port(0), Port(1)}));
  const auto torus = make_topology("torus(2,3)");
  EXPECT_EQ(send_peer(*torus, Rank(0), Rank(1), Port(0)), (Peer{Rank(1), Port(1), Port(0)}));
  EXPECT_EQ(send_peer(*torus, Rank(0), Rank(1), Port(1)), (Peer{Rank(1), Port(0), Port(1)}));
}

}  // namespace
}  // namespace gradwire::topologies
