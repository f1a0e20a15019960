#include "topologies/peers.h"

#include <memory>

#include <gtest/gtest.h>

namespace gradwire::topologies {
namespace {

// What the sender calls via, the receiver calls at, and the other way round; the ports are those of
// the route's first and last hop.
TEST(Peers, NameThePortsAtBothEndsOfTheRoute) {
  for (const char* name : {"bcube(3,2)", "bcube(2,3)", "fat-tree(4)", "single-switch(5)"}) {
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

}  // namespace
}  // namespace gradwire::topologies
