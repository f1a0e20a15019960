#include <utility>
#include <vector>

#include "bml/plan.h"
#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/chain.h"
#include "collectives/direct.h"
#include "collectives/doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/ring.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_send.h"
#include "core/error.h"
#include "tests/collectives/goals.h"

/// Plans of goals against tables made by hand, halves of all-reduces, and what makes an all-reduce of
/// halves.
namespace gradwire::collectives {
namespace {

using ::testing::ElementsAre;
using testing::everyones_plans;
using ::testing::IsEmpty;
using testing::make_topology;
using testing::single_switch;
using testing::Topology;
using testing::transfers;

std::vector<std::size_t> ones(std::size_t members) {
  return std::vector<std::size_t>(members, 1);
}

// The table of collectives/bruck.h: what passes member 4 is two messages.
TEST(Bruck, FiveMembersTransferByTransfer) {
  const auto topology = single_switch(5);
  const auto plans = everyones_plans(
      *topology, [](const Member& self) { return bruck::all_gather(self, ones(5)); });
  EXPECT_THAT(transfers(plans, 0),
              ElementsAre("1 -> 0: [1,2) put", "2 -> 1: [2,3) put", "3 -> 2: [3,4) put",
                          "4 -> 3: [4,5) put", "0 -> 4: [0,1) put"));
  EXPECT_THAT(transfers(plans, 1),
              ElementsAre("2 -> 0: [2,4) put", "3 -> 1: [3,5) put", "4 -> 2: [4,5) put",
                          "4 -> 2: [0,1) put", "0 -> 3: [0,2) put", "1 -> 4: [1,3) put"));
  EXPECT_THAT(transfers(plans, 2),
              ElementsAre("4 -> 0: [4,5) put", "0 -> 1: [0,1) put", "1 -> 2: [1,2) put",
                          "2 -> 3: [2,3) put", "3 -> 4: [3,4) put"));
}

// Backwards: the last step first, each transfer the other way round, and added.
TEST(Bruck, ReduceScatterIsTheAllGatherBackwards) {
  const auto topology = single_switch(5);
  const auto plans = everyones_plans(
      *topology, [](const Member& self) { return bruck::reduce_scatter(self, ones(5)); });
  EXPECT_THAT(transfers(plans, 0),
              ElementsAre("1 -> 0: [0,1) add", "2 -> 1: [1,2) add", "3 -> 2: [2,3) add",
                          "4 -> 3: [3,4) add", "0 -> 4: [4,5) add"));
}

// The tree of collectives/binomial.h, from root 0 and from root 3.
TEST(Binomial, EightMembersTransferByTransfer) {
  const auto topology = single_switch(8);
  const auto plans_from = [&](std::size_t root) {
    return everyones_plans(*topology,
                           [&](const Member& self) { return binomial::broadcast(self, 2, root); });
  };
  const auto from_0 = plans_from(0);
  EXPECT_THAT(transfers(from_0, 0), ElementsAre("0 -> 4: [0,2) put"));
  EXPECT_THAT(transfers(from_0, 1), ElementsAre("0 -> 2: [0,2) put", "4 -> 6: [0,2) put"));
  EXPECT_THAT(transfers(from_0, 2), ElementsAre("0 -> 1: [0,2) put", "2 -> 3: [0,2) put",
                                                "4 -> 5: [0,2) put", "6 -> 7: [0,2) put"));
  EXPECT_THAT(transfers(plans_from(3), 1), ElementsAre("7 -> 1: [0,2) put", "3 -> 5: [0,2) put"));
}

// The picture of collectives/chain.h: three pieces are under way at once.
TEST(Chain, FourMembersTransferByTransfer) {
  const auto topology = single_switch(4);
  const auto plans = everyones_plans(
      *topology, [](const Member& self) { return chain::broadcast(self, 3, {.pieces = 3}); });
  ASSERT_EQ(step_count(plans[0]), 5u);
  EXPECT_THAT(transfers(plans, 2),
              ElementsAre("0 -> 1: [2,3) put", "1 -> 2: [1,2) put", "2 -> 3: [0,1) put"));
}

// Member 0 sends member 1 in step 0, member 2 in step 1: blocks (0,1) and (0,2) of three rows.
TEST(Pairwise, ThreeMembersTransferByTransfer) {
  const auto topology = single_switch(3);
  const auto plans = everyones_plans(*topology, [](const Member& self) {
    return direct::pairwise(self, all_to_all(3, std::size_t{9}));
  });
  EXPECT_THAT(transfers(plans, 0),
              ElementsAre("2 -> 0: [6,7) put", "0 -> 1: [1,2) put", "1 -> 2: [5,6) put"));
  EXPECT_THAT(transfers(plans, 1),
              ElementsAre("1 -> 0: [3,4) put", "2 -> 1: [7,8) put", "0 -> 2: [2,3) put"));
}

// Rank 2 has nothing for anybody, and rank 0 nothing for itself.
TEST(Pairwise, BlocksMayHaveAnySize) {
  const auto topology = single_switch(3);
  const Goal goal = all_to_all(3, std::vector<std::size_t>{0, 5, 1, 7, 2, 0, 0, 0, 0});
  const auto plans =
      everyones_plans(*topology, [&](const Member& self) { return direct::pairwise(self, goal); });
  EXPECT_THAT(check_plans(plans, goal), IsEmpty());
}

// Port p takes half p: to rank 4 = 1,1 of bcube(3,2) both digits change, over one relay each.
TEST(StripedSend, TakesAllPorts) {
  for (const auto& [wiring, to] : {std::pair("bcube(3,2)", 4), std::pair("rail-only(4,3)", 2)}) {
    const auto topology = make_topology(wiring);
    const Group group{Rank(0), Rank(static_cast<std::size_t>(to))};
    const auto plans = testing::group_plans(
        *topology, group, [](const Member& self) { return striped_send::plan(self, 60); });
    EXPECT_THAT(check_plans(plans, for_group(send(60), group, topology->hosts())), IsEmpty());
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans, 60),
                     striped_send::closed_form(topology->ports_per_host()));
  }
}

// Ranks 0 and 4 of bcube(2,3) differ in digit 2, and all routes end at that port; 0 and 5 in digit 0, too.
TEST(StripedSend, TakesThePortsThatItsRoutesArriveAt) {
  const auto topology = make_topology("bcube(2,3)");
  for (const auto& [to, ports] : {std::pair(1, std::vector{0}), std::pair(4, std::vector{2}),
                                  std::pair(5, std::vector{0, 2})}) {
    const Group group{Rank(0), Rank(static_cast<std::size_t>(to))};
    const auto plans = testing::group_plans(
        *topology, group, [](const Member& self) { return striped_send::plan(self, 60); });
    EXPECT_THAT(check_plans(plans, for_group(send(60), group, topology->hosts())), IsEmpty());
    std::vector<int> at;
    for (const Send& send : plans[0].lanes[0][0].sends) {
      at.push_back(static_cast<int>(send.to.at.index()));
    }
    EXPECT_EQ(at, ports) << to;
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans, 60), striped_send::closed_form(at.size()));
  }
}

/// Halves of an all-reduce on `topology`, as long as `closed_form` together.
void expect_halves(const Topology& topology, const Parts& parts, const std::vector<Plan>& plans,
                   double closed_form) {
  std::vector<Plan> sums;
  std::vector<Plan> shares;
  for (const Plan& plan : plans) {
    sums.push_back(first_half(plan));
    shares.push_back(second_half(plan));
    EXPECT_EQ(then(sums.back(), shares.back()), plan);
    EXPECT_EQ(2 * step_count(sums.back()), step_count(plan));
  }
  const Goal goal = reduce_scatter(parts);
  EXPECT_THAT(check_plans(sums, goal), IsEmpty()) << topology.name();
  EXPECT_THAT(check_plans(shares, all_gather(parts)), IsEmpty()) << topology.name();
  if (goal.elements < 1000) return;
  EXPECT_NEAR(testing::bound(topology, sums, goal.elements), closed_form / 2, 1e-9);
  EXPECT_NEAR(testing::bound(topology, shares, goal.elements), closed_form / 2, 1e-9);
}

TEST(Halves, OfBmlAreAReduceScatterAndAnAllGather) {
  for (const auto& [n, k] : {std::pair(2, 1), std::pair(2, 3), std::pair(3, 2), std::pair(4, 2)}) {
    const auto topology = make_topology(fmt::format("bcube({},{})", n, k));
    for (const std::size_t elements : {1u, 17u, 97u, 2880u}) {
      const auto plans = testing::plans_of(
          *topology, [&](Rank rank) { return bml::plan(*topology, rank, elements); });
      expect_halves(*topology, bml::parts(*topology, elements), plans,
                    bml::closed_form(static_cast<std::size_t>(n), static_cast<std::size_t>(k)));
    }
  }
}

TEST(Halves, OfNestedGroupsAreAReduceScatterAndAnAllGather) {
  for (const char* wiring : {"fat-tree(4)", "bcube(3,2)", "bcube(2,3)"}) {
    const auto topology = make_topology(wiring);
    for (const std::size_t elements : {1u, 17u, 97u, 2880u}) {
      const auto plans = testing::plans_of(
          *topology, [&](Rank rank) { return hierarchical::plan(*topology, rank, elements); });
      expect_halves(*topology, hierarchical::parts(*topology, elements), plans,
                    hierarchical::closed_form(topology->hosts()));
    }
  }
  const auto bcube = make_topology("bcube(3,2)");
  const auto plans =
      testing::plans_of(*bcube, [&](Rank rank) { return staged_bcube::plan(*bcube, rank, 2880); });
  expect_halves(*bcube, staged_bcube::parts(*bcube, 2880), plans, staged_bcube::closed_form(3, 2));
}

// Any reduce-scatter, then any all-gather of the same parts and stepping.
TEST(Then, MakesAnAllReduceOfHalves) {
  for (std::size_t members = 2; members <= 33; ++members) {
    const auto topology = single_switch(members);
    const Parts parts = equal_parts(members, 97);
    std::vector<std::size_t> sizes;
    for (const auto& part : parts) sizes.push_back(part.front().count);
    const auto expect_sums = [&](const testing::MakeMemberPlan& make_plan) {
      EXPECT_THAT(check_plans(everyones_plans(*topology, make_plan), 97), IsEmpty()) << members;
    };
    expect_sums([&](const Member& self) {
      return then(ring::reduce_scatter(self, parts), ring::all_gather(self, parts));
    });
    expect_sums([&](const Member& self) {
      return then(bruck::reduce_scatter(self, sizes), bruck::all_gather(self, sizes));
    });
    expect_sums([&](const Member& self) {
      return then(direct::plan(self, reduce_scatter(parts)), ring::all_gather(self, parts));
    });
  }
}

TEST(Then, MakesAnAllReduceOfHalvingAndDoubling) {
  const auto topology = single_switch(16);
  const auto plans = everyones_plans(*topology, [](const Member& self) {
    const std::vector<std::size_t> sizes(16, 6);
    return then(doubling::reduce_scatter(self, sizes), doubling::all_gather(self, sizes));
  });
  EXPECT_THAT(check_plans(plans, 96), IsEmpty());
}

TEST(CollectivePlans, RefuseWhatTheyCannotDo) {
  const auto topology = single_switch(6);
  const Group group = everyone(*topology);
  const Member self{.topology = *topology, .group = group, .place = 0};
  EXPECT_THROW(static_cast<void>(doubling::all_gather(self, ones(6))), InputError);
  EXPECT_THROW(static_cast<void>(chain::reduce(self, 10, {.pieces = 0})), InputError);
  EXPECT_THROW(static_cast<void>(direct::plan(self, all_reduce(6, 10))), InternalError);
  EXPECT_THROW(static_cast<void>(binomial::broadcast(self, 10, 6)), InternalError);
  EXPECT_THROW(static_cast<void>(first_half(ring::all_gather(self, equal_parts(6, 10)))),
               InternalError);
}

}  // namespace
}  // namespace gradwire::collectives
