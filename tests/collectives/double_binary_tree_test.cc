#include "collectives/double_binary_tree.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// The two trees' shape, the pipeline through them, and its closed form.
namespace gradwire::collectives::double_binary_tree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_topology;
using testing::Topology;
using testing::transfers;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements,
                           const Options& options = {}) {
  return testing::plans_of(topology,
                           [&](Rank rank) { return plan(topology, rank, elements, options); });
}

TEST(DoubleBinaryTree, SmallGradientsTravelInFewPieces) {
  constexpr std::size_t kKiB = 1024 / sizeof(float);
  EXPECT_EQ(default_pieces(0), 1u);
  EXPECT_EQ(default_pieces(4 * kKiB), 1u);
  EXPECT_EQ(default_pieces(16 * kKiB), 1u);
  EXPECT_EQ(default_pieces(32 * kKiB), 2u);
  EXPECT_EQ(default_pieces(64 * kKiB), 4u);
  EXPECT_EQ(default_pieces(128 * kKiB), 8u);
  EXPECT_EQ(default_pieces(1024 * kKiB), 8u);
}

// The picture in the header.
TEST(DoubleBinaryTree, EightRanks) {
  EXPECT_THAT(family(8, 0, Rank(0)).children, ElementsAre(Rank(4)));
  EXPECT_THAT(family(8, 0, Rank(4)).children, ElementsAre(Rank(2), Rank(6)));
  EXPECT_THAT(family(8, 0, Rank(2)).children, ElementsAre(Rank(1), Rank(3)));
  EXPECT_THAT(family(8, 0, Rank(6)).children, ElementsAre(Rank(5), Rank(7)));
  EXPECT_THAT(family(8, 1, Rank(7)).children, ElementsAre(Rank(3)));
  EXPECT_THAT(family(8, 1, Rank(3)).children, ElementsAre(Rank(5), Rank(1)));
  EXPECT_THAT(family(8, 1, Rank(1)).children, ElementsAre(Rank(2), Rank(0)));
}

TEST(DoubleBinaryTree, BothAreTreesOfLogarithmicDepth) {
  for (std::size_t ranks = 2; ranks <= 65; ++ranks) {
    for (std::size_t tree = 0; tree < 2; ++tree) {
      std::size_t roots = 0;
      std::size_t deepest = 0;
      for (std::size_t i = 0; i < ranks; ++i) {
        const Family each = family(ranks, tree, Rank(i));
        EXPECT_LE(each.children.size(), 2u);
        for (const Rank child : each.children) {
          EXPECT_EQ(family(ranks, tree, child).parent, Rank(i));
          EXPECT_EQ(family(ranks, tree, child).depth, each.depth + 1);
        }
        if (each.parent) {
          EXPECT_EQ(std::ranges::count(family(ranks, tree, *each.parent).children, Rank(i)), 1);
        }
        roots += each.parent ? 0 : 1;
        deepest = std::max(deepest, each.depth);
      }
      EXPECT_EQ(roots, 1u);
      EXPECT_EQ(deepest, static_cast<std::size_t>(std::bit_width(ranks - 1)));
    }
  }
}

// Inner in one tree, a leaf in the other; only rank 0 of an odd number is inner in both, and has
// one child in each.
TEST(DoubleBinaryTree, WhoIsInnerInOneTreeIsALeafInTheOther) {
  for (std::size_t ranks = 2; ranks <= 65; ++ranks) {
    for (std::size_t i = 0; i < ranks; ++i) {
      const std::size_t first = family(ranks, 0, Rank(i)).children.size();
      const std::size_t second = family(ranks, 1, Rank(i)).children.size();
      if (ranks % 2 == 1 && i == 0) {
        EXPECT_EQ(first, 1u) << ranks;
        EXPECT_EQ(second, 1u) << ranks;
      } else {
        EXPECT_TRUE((first == 0) != (second == 0)) << "rank " << i << " of " << ranks;
      }
    }
  }
}

// Four ranks, tree 0 is 0 - 2 - {1, 3}, tree 1 is 3 - 1 - {2, 0}; one element is a piece.
TEST(DoubleBinaryTree, FourRanksTransferByTransfer) {
  const auto topology = make_topology("single-switch(4)");
  const auto plans = plans_of(*topology, 4, {.pieces = 2});
  ASSERT_EQ(step_count(plans[0]), 6u);
  EXPECT_THAT(transfers(plans, 0), ElementsAre("2 -> 1: [2,3) add", "0 -> 1: [2,3) add",
                                               "1 -> 2: [0,1) add", "3 -> 2: [0,1) add"));
  EXPECT_THAT(transfers(plans, 1),
              ElementsAre("2 -> 0: [0,1) add", "2 -> 1: [3,4) add", "0 -> 1: [3,4) add",
                          "1 -> 2: [1,2) add", "3 -> 2: [1,2) add", "1 -> 3: [2,3) add"));
  EXPECT_THAT(transfers(plans, 2), ElementsAre("2 -> 0: [1,2) add", "1 -> 3: [3,4) add"));
  EXPECT_THAT(transfers(plans, 3), ElementsAre("3 -> 1: [2,3) put", "0 -> 2: [0,1) put"));
  EXPECT_THAT(transfers(plans, 4),
              ElementsAre("1 -> 0: [2,3) put", "2 -> 1: [0,1) put", "3 -> 1: [3,4) put",
                          "0 -> 2: [1,2) put", "1 -> 2: [2,3) put", "2 -> 3: [0,1) put"));
  EXPECT_THAT(transfers(plans, 5), ElementsAre("1 -> 0: [3,4) put", "2 -> 1: [1,2) put",
                                               "1 -> 2: [3,4) put", "2 -> 3: [1,2) put"));
}

TEST(DoubleBinaryTree, SumsCorrectlyForAnyNumberOfRanks) {
  for (const std::size_t pieces : {1u, 3u, 8u}) {
    const auto make_plan = [&](const Topology& topology, Rank rank, std::size_t elements) {
      return plan(topology, rank, elements, {.pieces = pieces});
    };
    for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
      testing::expect_sums(*make_topology(fmt::format("single-switch({})", ranks)), make_plan);
    }
    for (const char* wiring : {"bcube(3,2)", "bcube(2,3)", "fat-tree(4)"}) {
      testing::expect_sums(*make_topology(wiring), make_plan);
    }
  }
}

// Table II's row corrected: an inner rank with two children sends and receives 2 S, none more.
TEST(DoubleBinaryTree, NobodySendsOrReceivesMoreThanTwice) {
  for (std::size_t ranks = 4; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    PortCount most;
    for (const Plan& each : plans_of(*topology, 1600)) {
      const PortCount port = count_ports(each).at(0);
      most = {.sent = std::max(most.sent, port.sent),
              .received = std::max(most.received, port.received)};
    }
    EXPECT_EQ(most, (PortCount{.sent = 3200, .received = 3200})) << ranks;
  }
}

TEST(DoubleBinaryTree, ClosedFormIsWhatTheLinksCarry) {
  EXPECT_DOUBLE_EQ(closed_form(8, {.pieces = 1}), 5);
  EXPECT_DOUBLE_EQ(closed_form(9), 2.625);
  EXPECT_NEAR(closed_form(65'536, {.pieces = 10'000}), 2, 0.01);
  for (std::size_t ranks = 2; ranks <= 65; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    for (const std::size_t pieces : {1u, 2u, 8u, 20u}) {
      const Options options{.pieces = pieces};
      EXPECT_DOUBLE_EQ(testing::bound(*topology, plans_of(*topology, 400, options), 400),
                       closed_form(ranks, options))
          << ranks << " ranks, " << pieces << " pieces";
    }
  }
}

TEST(DoubleBinaryTree, RefusesNoPieces) {
  const auto topology = make_topology("single-switch(4)");
  EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 9, {.pieces = 0})), InputError);
}

// A bucket may be smaller than its pieces are many.
TEST(DoubleBinaryTree, AHalfHasNoMorePiecesThanElements) {
  const auto topology = make_topology("single-switch(4)");
  const Options most{.pieces = std::numeric_limits<std::size_t>::max()};
  for (const std::size_t elements : {0u, 1u, 2u, 3u, 10u}) {
    EXPECT_THAT(check_plans(plans_of(*topology, elements, most), elements), IsEmpty());
  }
  // P = 5 elements of a half, D = 2: 2 (P + D - 1) steps.
  EXPECT_EQ(step_count(plans_of(*topology, 10, most)[0]), 12u);
}

}  // namespace
}  // namespace gradwire::collectives::double_binary_tree
