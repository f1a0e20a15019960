#include "topologies/topology.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

class EveryWiring : public ::testing::TestWithParam<const char*> {
 protected:
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
    EXPECT_FALSE(topology_->is_host(link.b.node)) << "where one end is a host, it is a";
    EXPECT_LT(link.a.node, link.b.node);
  }
  const std::size_t ports = topology_->hosts() * topology_->ports_per_host() +
                            topology_->switches() * topology_->ports_per_switch();
  EXPECT_EQ(ends.size(), 2 * topology_->links().size());
  EXPECT_EQ(ends.size(), ports);
}

// A hop leaves the node that the hop before arrived at, through the port that this node names.
TEST_P(EveryWiring, RoutesAreContiguousAndFollowNextPort) {
  for (std::size_t a = 0; a < topology_->hosts(); ++a) {
    for (std::size_t b = 0; b < topology_->hosts(); ++b) {
      if (a == b) continue;
      const Port at = topology_->arrival_port(Rank(a), Rank(b));
      NodeId here = topology_->host(Rank(a));
      for (const Hop& hop : topology_->route(Rank(a), Rank(b))) {
        const Port out = topology_->next_port(here, Rank(b), at);
        ASSERT_EQ(topology_->departure(hop), (Attachment{here, out}));
        here = topology_->arrival(hop).node;
      }
      EXPECT_EQ(here, topology_->host(Rank(b)));
    }
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

INSTANTIATE_TEST_SUITE_P(Wirings, EveryWiring,
                         ::testing::Values("bcube(2,1)", "bcube(3,2)", "bcube(4,2)", "bcube(2,4)",
                                           "fat-tree(2)", "fat-tree(4)", "fat-tree(6)",
                                           "single-switch(2)", "single-switch(9)"));

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
