#include "topologies/topology.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/topologies/wirings.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

class EveryWiring : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Look>
  void for_each_route(const Look& look) const {
    for (std::size_t a = 0; a < topology_->hosts(); ++a) {
      for (std::size_t b = 0; b < topology_->hosts(); ++b) {
        for (std::size_t port = 0; a != b && port < topology_->ports_per_host(); ++port) {
          look(Rank(a), Rank(b), Port(port));
        }
      }
    }
  }

  std::unique_ptr<const Topology> topology_ = make_topology(GetParam());
};

// No port is free, none has two cables, and both ways of naming a cable agree.
TEST_P(EveryWiring, UsesEveryPortOnce) {
  std::set<Attachment> ends;
  for (std::size_t number = 0; number < topology_->links().size(); ++number) {
    const Link& link = topology_->links()[number];
    ends.insert(link.a);
    ends.insert(link.b);
    EXPECT_EQ(topology_->link_at(link.a), LinkId(number));
    EXPECT_EQ(topology_->opposite(link.a), link.b);
    EXPECT_EQ(topology_->opposite(link.b), link.a);
    EXPECT_TRUE(topology_->is_host(link.a.node) || !topology_->is_host(link.b.node))
        << "where one end is a host, it is a";
    if (!topology_->is_host(link.b.node)) {
      EXPECT_LT(link.a.node, link.b.node);
    }
  }
  std::size_t ports = 0;
  for (std::size_t node = 0; node < topology_->hosts() + topology_->switches(); ++node) {
    ports += topology_->ports_of(NodeId(node));
  }
  EXPECT_EQ(ends.size(), 2 * topology_->links().size());
  EXPECT_EQ(ends.size(), ports);
}

// A hop leaves the node that the hop before arrived at, through the port that this node names.
TEST_P(EveryWiring, RoutesAreContiguousAndFollowNextPortOfFlow) {
  for (std::size_t a = 0; a < topology_->hosts(); ++a) {
    for (std::size_t b = 0; b < topology_->hosts(); ++b) {
      if (a == b) continue;
      const Port at = topology_->arrival_port(Rank(a), Rank(b));
      NodeId here = topology_->host(Rank(a));
      for (const Hop& hop : topology_->route(Rank(a), Rank(b))) {
        const Port out = topology_->next_port_of_flow(here, Rank(a), Rank(b), at);
        ASSERT_EQ(topology_->departure(hop), (Attachment{here, out}));
        here = topology_->arrival(hop).node;
      }
      EXPECT_EQ(here, topology_->host(Rank(b)));
    }
  }
}

// Every route to every port, and what next_port says where that differs (ECMP).
TEST_P(EveryWiring, RoutesEndAtTheDestinationAndPassNoNodeTwice) {
  for_each_route([&](Rank from, Rank to, Port to_port) {
    std::set<NodeId> passed{topology_->host(from)};
    for (const Hop& hop : topology_->route(from, to, to_port)) {
      EXPECT_TRUE(passed.insert(topology_->arrival(hop).node).second);
    }
    NodeId at = topology_->host(from);
    std::size_t hops = 0;
    while (at != topology_->host(to) && hops++ < passed.size() + 1) {
      const Port out = topology_->next_port(at, to, to_port);
      if (topology_->routes_by_destination()) {
        EXPECT_EQ(out, topology_->next_port_of_flow(at, from, to, to_port));
      }
      at = topology_->opposite({at, out}).node;
    }
    EXPECT_EQ(at, topology_->host(to));
  });
}

TEST_P(EveryWiring, TheOwnRouteArrivesAtTheArrivalPort) {
  for_each_route([&](Rank from, Rank to, Port to_port) {
    if (to_port != Port(0)) return;
    const Attachment end = topology_->arrival(topology_->route(from, to).back());
    EXPECT_EQ(end, (Attachment{topology_->host(to), topology_->arrival_port(from, to)}));
  });
}

// Where every cable has a host end, cables are told apart by it. A translation maps the cable at
// (host, port) to the cable at (image, port), and routes to routes, hop by hop.
TEST_P(EveryWiring, TranslationsMapRoutesToRoutes) {
  const auto radices = topology_->translation();
  if (!radices) return;
  std::size_t ranks = 1;
  for (const std::size_t radix : *radices) ranks *= radix;
  ASSERT_EQ(ranks, topology_->hosts());
  for (std::size_t shift = 1; shift < ranks; ++shift) {
    const auto image = [&](std::size_t number) {
      std::size_t result = 0;
      std::size_t stride = 1;
      for (const std::size_t radix : *radices) {
        result += (number / stride + shift / stride) % radix * stride;
        stride *= radix;
      }
      return Rank(result);
    };
    const auto image_of_hop = [&](Hop hop) {
      const Attachment a = topology_->links()[hop.link.index()].a;
      const Attachment there{topology_->host(image(a.node.index())), a.port};
      const LinkId link = topology_->link_at(there);
      EXPECT_EQ(topology_->links()[link.index()].a, there);
      return Hop{link, hop.from_a};
    };
    for_each_route([&](Rank from, Rank to, Port to_port) {
      std::vector<Hop> expected;
      for (const Hop& hop : topology_->route(from, to, to_port)) {
        expected.push_back(image_of_hop(hop));
      }
      EXPECT_EQ(topology_->route(image(from.index()), image(to.index()), to_port), expected);
      EXPECT_EQ(topology_->arrival_port(image(from.index()), image(to.index())),
                topology_->arrival_port(from, to));
    });
  }
}

TEST_P(EveryWiring, LabelsAreDistinctAndTiersCoverTheSwitches) {
  std::set<std::string> labels;
  for (std::size_t node = 0; node < topology_->hosts() + topology_->switches(); ++node) {
    labels.insert(topology_->label(NodeId(node)));
  }
  EXPECT_EQ(labels.size(), topology_->hosts() + topology_->switches());
  std::size_t next = 0;
  for (const Tier& tier : topology_->tiers()) {
    EXPECT_EQ(tier.first_switch, next);
    next += tier.switches;
  }
  EXPECT_EQ(next, topology_->switches());
}

TEST_P(EveryWiring, NameBuildsTheSameWiring) {
  EXPECT_EQ(topology_->name(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Wirings, EveryWiring, ::testing::ValuesIn(testing::wirings()));

// The wirings that look the same from every host say so, and no other.
TEST(Topology, TranslationsAreTheDigitsOfTheRanks) {
  const auto translation = [](const char* name) { return make_topology(name)->translation(); };
  using Radices = std::vector<std::size_t>;
  EXPECT_EQ(translation("bcube(3,2)"), (Radices{3, 3}));
  EXPECT_EQ(translation("single-switch(5)"), Radices{5});
  EXPECT_EQ(translation("rail-only(6,2)"), Radices{6});
  EXPECT_EQ(translation("torus(5,2)"), (Radices{5, 2}));
  for (const char* name : {"fat-tree(4)", "leaf-spine(2,2,2)", "rail-optimised(2,2,2,2)"}) {
    EXPECT_EQ(translation(name), std::nullopt) << name;
  }
}

TEST(Topology, RefusesWhatDoesNotExist) {
  const auto star = make_topology("single-switch(3)");
  EXPECT_THROW((void)star->link_at({NodeId(0), Port(1)}), InternalError);
  EXPECT_THROW((void)star->link_at({NodeId(4), Port(0)}), InternalError);
  EXPECT_THROW((void)star->route(Rank(1), Rank(1)), InternalError);
  EXPECT_THROW((void)star->route(Rank(1), Rank(3)), InternalError);
  EXPECT_THROW((void)star->route(Rank(1), Rank(2), Port(1)), InternalError);
}

/// Lets a test cable as it likes: two hosts with one port, a switch with two.
class Loose final : public Topology {
 public:
  Loose() : Topology("loose", 2, 1, 1, 2) {}
  using Topology::connect;
  [[nodiscard]] std::string label(NodeId) const override { return {}; }
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::bridge; }
  [[nodiscard]] std::vector<Tier> tiers() const override { return {}; }
  [[nodiscard]] Port next_port(NodeId, Rank, Port) const override { return Port(0); }
  [[nodiscard]] Port arrival_port(Rank, Rank) const override { return Port(0); }
};

TEST(Topology, RefusesWrongCables) {
  Loose wiring;
  wiring.connect({NodeId(0), Port(0)}, {NodeId(2), Port(0)});
  EXPECT_THROW(wiring.connect({NodeId(0), Port(0)}, {NodeId(2), Port(1)}), InternalError);
  EXPECT_THROW(wiring.connect({NodeId(1), Port(0)}, {NodeId(2), Port(2)}), InternalError);
  EXPECT_THROW((void)wiring.link_at({NodeId(1), Port(0)}), InternalError);
  EXPECT_THROW(wiring.connect({NodeId(2), Port(1)}, {NodeId(1), Port(0)}), InternalError);
  EXPECT_THROW(wiring.connect({NodeId(1), Port(0)}, {NodeId(2), Port(1)}, 0), InternalError);
}

TEST(Topology, CablesHaveSpeeds) {
  Loose wiring;
  wiring.connect({NodeId(0), Port(0)}, {NodeId(2), Port(0)});
  EXPECT_TRUE(wiring.uniform_speed());
  wiring.connect({NodeId(1), Port(0)}, {NodeId(2), Port(1)}, 2.5);
  EXPECT_EQ(wiring.speed_at({NodeId(2), Port(0)}), 1);
  EXPECT_EQ(wiring.speed_at({NodeId(2), Port(1)}), 2.5);
  EXPECT_FALSE(wiring.uniform_speed());
}

// Host 0 and the switch pass the bytes to and fro for ever.
TEST(Topology, ARouteThatNeverArrivesIsABug) {
  Loose wiring;
  wiring.connect({NodeId(0), Port(0)}, {NodeId(2), Port(0)});
  wiring.connect({NodeId(1), Port(0)}, {NodeId(2), Port(1)});
  EXPECT_THROW((void)wiring.route(Rank(0), Rank(1)), InternalError);
}

}  // namespace
}  // namespace gradwire::topologies
