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

// Addressed to a port, both ends name that port and the one through which the route leaves.
TEST(Peers, NameThePortThatIsAddressed) {
  for (const char* name : {"bcube(3,2)", "bcube(2,3)", "fat-tree(4)", "single-switch(5)"}) {
    const auto topology = make_topology(name);
    for (std::size_t b = 1; b < topology->hosts(); ++b) {
      for (std::size_t port = 0; port < topology->ports_per_host(); ++port) {
        const Port out =
            topology->departure(topology->route(Rank(0), Rank(b), Port(port)).front()).port;
        EXPECT_EQ(send_peer(*topology, Rank(0), Rank(b), Port(port)),
                  (Peer{Rank(b), out, Port(port)}));
        EXPECT_EQ(receive_peer(*topology, Rank(b), Rank(0), Port(port)),
                  (Peer{Rank(0), Port(port), out}));
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::topologies
