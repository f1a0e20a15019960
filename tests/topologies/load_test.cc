#include "topologies/load.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/peers.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

LinkLoad all_to_all(const Topology& topology, std::uint64_t elements) {
  LinkLoad load(topology);
  for (std::size_t from = 0; from < topology.hosts(); ++from) {
    for (std::size_t to = 0; to < topology.hosts(); ++to) {
      if (from != to) load.add(Rank(from), Rank(to), elements);
    }
  }
  return load;
}

/// Two steps of uniform all-to-all: every rank is worker and server of `share` elements. Pushes and
/// pulls have the extents that a balanced parameter server gives them.
std::vector<Plan> push_and_pull(const Topology& topology, std::size_t share) {
  std::vector<Plan> plans;
  for (std::size_t self = 0; self < topology.hosts(); ++self) {
    Step push;
    Step pull;
    for (std::size_t other = 0; other < topology.hosts(); ++other) {
      if (other == self) continue;
      const Extent theirs{other * share, share};
      const Extent mine{self * share, share};
      const Peer to = send_peer(topology, Rank(self), Rank(other));
      const Peer from = receive_peer(topology, Rank(self), Rank(other));
      push.sends.push_back({to, theirs});
      push.recvs.push_back({from, mine, Combine::add});
      pull.sends.push_back({to, mine});
      pull.recvs.push_back({from, theirs, Combine::replace});
    }
    plans.push_back({.lanes = {{push, pull}}});
  }
  return plans;
}

TEST(LinkLoad, CountsEachDirectionOfEachCableOnTheRoute) {
  const BCube cube(3, 2);
  LinkLoad load(cube);
  load.add(Rank(0), Rank(4), 7);  // 0,0 -> 1,0 by level 1 -> 1,1 by level 0
  load.add(Rank(4), Rank(3), 5);  // 1,1 -> 1,0 by level 0
  const auto cable = [&](std::size_t host, std::size_t port) {
    return cube.link_at({NodeId(host), Port(port)});
  };
  EXPECT_EQ(load.at({cable(0, 1), true}), 7u);
  EXPECT_EQ(load.at({cable(3, 1), false}), 7u);
  EXPECT_EQ(load.at({cable(3, 0), true}), 7u);
  EXPECT_EQ(load.at({cable(4, 0), false}), 7u);
  EXPECT_EQ(load.at({cable(4, 0), true}), 5u);
  EXPECT_EQ(load.at({cable(3, 0), false}), 5u);
  EXPECT_EQ(load.at({cable(0, 1), false}), 0u);
  EXPECT_EQ(load.max(), 7u);
}

// All pairs on BCube(n,k): of the N-1 unit flows that a host sends, N (n-1)/n = (n-1) n^(k-1)
// differ in any given digit, and the relays spread them evenly.
TEST(LinkLoad, AllToAllOnBCubeLoadsEveryDirectedLinkEqually) {
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{3, 2}, {4, 2}, {2, 3}, {3, 3}}) {
    const BCube cube(n, k);
    const LinkLoad load = all_to_all(cube, 1);
    for (std::size_t link = 0; link < cube.links().size(); ++link) {
      EXPECT_EQ(load.at({LinkId(link), true}), (n - 1) * cube.digits().power(k - 1));
      EXPECT_EQ(load.at({LinkId(link), false}), (n - 1) * cube.digits().power(k - 1));
    }
  }
}

// All pairs on Fat-Tree(p): N - 1 on a host's cable, N - p/2 between edge and aggregation, N -
// p^2/4 between aggregation and core, each in both directions: non-blocking.
TEST(LinkLoad, AllToAllOnFatTreeLoadsNoUplinkMoreThanAHost) {
  for (const std::size_t p : {2u, 4u, 8u}) {
    const FatTree tree(p);
    const std::size_t hosts = tree.hosts();
    const LinkLoad load = all_to_all(tree, 1);
    for (std::size_t number = 0; number < tree.links().size(); ++number) {
      const Link& link = tree.links()[number];
      std::size_t expected = hosts - 1;
      if (!tree.is_host(link.a.node)) {
        const bool below_core = tree.place(link.b.node).layer == FatTree::Layer::core;
        expected = hosts - (below_core ? p * p / 4 : p / 2);
      }
      EXPECT_EQ(load.at({LinkId(number), true}), expected) << "cable " << number;
      EXPECT_EQ(load.at({LinkId(number), false}), expected) << "cable " << number;
    }
    EXPECT_EQ(load.max(), hosts - 1);
  }
}

// BML, section 3.3 and Figure 5: push and pull, not overlapped, on 16 servers take 2 (N-1)/N
// = 1.875 T_F on Fat-Tree(4), whose links carry S in T_F, and 2 (n-1)/n = 1.5 T_F on BCube(4,2). On
// 1024 servers BCube(32,2) takes 1.9375.
TEST(StepBound, OfPushAndPullIsTheClosedForm) {
  constexpr std::size_t kShare = 10;
  const auto in_tf = [](const Topology& topology) {
    return step_bound(topology, push_and_pull(topology, kShare)) /
           static_cast<double>(topology.hosts() * kShare);
  };
  EXPECT_DOUBLE_EQ(in_tf(FatTree(4)), 1.875);
  EXPECT_DOUBLE_EQ(in_tf(*make_topology("single-switch(16)")), 1.875);
  EXPECT_DOUBLE_EQ(in_tf(BCube(4, 2)), 1.5);
  EXPECT_DOUBLE_EQ(in_tf(BCube(32, 2)), 1.9375);
}

// All pairs over 4 uplinks: 3 hosts send 9 others 12 elements each, 324 through two uplinks, of
// which hosts 0 and 2 of each leaf take the first: 216. A host's cable carries 132.
TEST(LinkLoad, TakesTimeByTheSpeedOfTheLink) {
  const auto slow = make_topology("leaf-spine(4,3,2)");
  const LinkLoad load = all_to_all(*slow, 12);
  EXPECT_EQ(load.max(), 216u);
  EXPECT_DOUBLE_EQ(load.max_time(), 216);
  const auto fast = make_topology("leaf-spine(4,3,2,speed=1.5)");
  EXPECT_EQ(all_to_all(*fast, 12).max(), 216u);
  EXPECT_DOUBLE_EQ(all_to_all(*fast, 12).max_time(), 144);
  const auto faster = make_topology("leaf-spine(4,3,2,speed=4)");
  EXPECT_DOUBLE_EQ(all_to_all(*faster, 12).max_time(), 132) << "a host's own cable";
  EXPECT_DOUBLE_EQ(step_bound(*fast, push_and_pull(*fast, 12)), 2 * 144);
}

// Lanes run side by side and steps one after the other: 4 + 3 on one cable in step 0, 9 in step 1
// (a lane that has ended adds nothing).
TEST(StepBound, AddsLanesWithinAStepAndTakesTheSlowestLinkOfEach) {
  const auto star = make_topology("single-switch(3)");
  const auto send = [](std::size_t to, std::size_t count) {
    return Step{.sends = {{{Rank(to), Port(0), Port(0)}, {0, count}}}, .recvs = {}};
  };
  std::vector<Plan> plans(3);
  plans[0].lanes = {{send(1, 4)}, {send(2, 3), send(1, 2)}};
  plans[2].lanes = {{send(1, 1), send(0, 9)}};
  const LinkLoad first = load_of_step(*star, plans, 0);
  EXPECT_EQ(first.at({LinkId(0), true}), 7u);
  EXPECT_EQ(first.at({LinkId(1), false}), 5u);
  EXPECT_EQ(first.at({LinkId(2), false}), 3u);
  EXPECT_EQ(load_of_step(*star, plans, 1).max(), 9u);
  EXPECT_EQ(load_of_step(*star, plans, 2).max(), 0u);
  EXPECT_DOUBLE_EQ(step_bound(*star, plans), 16);
}

// A whole run carries what its steps carry, element by element and message by message: two
// messages, 4 and 3 elements, leave host 0 in step 0, and one of 9 reaches it in step 1.
TEST(LinkLoad, OfAllStepsIsTheirSum) {
  const auto star = make_topology("single-switch(3)");
  const auto send = [](std::size_t to, std::size_t count) {
    return Step{.sends = {{{Rank(to), Port(0), Port(0)}, {0, count}}}, .recvs = {}};
  };
  std::vector<Plan> plans(3);
  plans[0].lanes = {{send(1, 4)}, {send(2, 3), send(1, 2)}};
  plans[2].lanes = {{send(1, 1), send(0, 9)}};
  const LinkLoad all = load_of(*star, plans);
  for (std::size_t link = 0; link < star->links().size(); ++link) {
    for (const bool from_a : {true, false}) {
      std::uint64_t elements = 0;
      std::uint64_t messages = 0;
      for (std::size_t step = 0; step < 2; ++step) {
        const LinkLoad load = load_of_step(*star, plans, step);
        elements += load.at({LinkId(link), from_a});
        messages += load.messages_at({LinkId(link), from_a});
      }
      EXPECT_EQ(all.at({LinkId(link), from_a}), elements);
      EXPECT_EQ(all.messages_at({LinkId(link), from_a}), messages);
    }
  }
  EXPECT_EQ(load_of_step(*star, plans, 0).messages_at({LinkId(0), true}), 2u);
  EXPECT_EQ(all.messages_at({LinkId(0), true}), 3u);
  EXPECT_EQ(all.messages_at({LinkId(0), false}), 1u);
  EXPECT_EQ(all.at({LinkId(0), false}), 9u);
}

// From 0,0 to 1,1 addressed at port 1 the route leaves by level 0; a Plan that says port 1 is
// wrong.
TEST(LinkLoad, RefusesASendThroughAnotherPortThanTheRoutes) {
  const BCube cube(3, 2);
  LinkLoad load(cube);
  load.add(Rank(0), Send{{Rank(4), Port(0), Port(1)}, {0, 3}});
  EXPECT_EQ(load.at({cube.link_at({NodeId(0), Port(0)}), true}), 3u);
  EXPECT_THROW(load.add(Rank(0), Send{{Rank(4), Port(1), Port(1)}, {0, 3}}), InternalError);
}

}  // namespace
}  // namespace gradwire::topologies
