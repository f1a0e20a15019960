#include "core/plan_agreement.h"

#include <gtest/gtest.h>

namespace gradwire {
namespace {

constexpr std::size_t kRanks = 4;

Peer at(std::size_t rank) {
  return {.rank = Rank(rank), .via = Port(0), .at = Port(1)};
}

/// What comes from a port 1 arrives at a port 0.
Peer from(std::size_t rank) {
  return {.rank = Rank(rank), .via = Port(1), .at = Port(0)};
}

/// Every rank tells its right neighbour ten elements, then all others the next.
std::vector<Plan> plans() {
  std::vector<Plan> all;
  for (std::size_t i = 0; i < kRanks; ++i) {
    Lane lane(2);
    lane[0].sends = {{at((i + 1) % kRanks), {0, 10}}};
    lane[0].recvs = {{from((i + kRanks - 1) % kRanks), {0, 10}, Combine::add}};
    for (std::size_t other = 0; other < kRanks; ++other) {
      if (other == i) continue;
      lane[1].sends.push_back({at(other), {10, 5}});
      lane[1].recvs.push_back({from(other), {10, 5}, Combine::add});
    }
    all.push_back({.lanes = {std::move(lane)}});
  }
  return all;
}

std::uint64_t sum(const std::vector<Plan>& plans) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) sum += balance(plans[i], Rank(i));
  return sum;
}

std::optional<Rank> odd(const std::vector<Plan>& plans) {
  std::vector<PlanDigest> digests;
  for (std::size_t i = 0; i < plans.size(); ++i) digests.push_back(digest_of(plans[i], Rank(i)));
  return odd_rank(digests);
}

TEST(PlanAgreement, PlansThatBelongTogetherBalance) {
  EXPECT_EQ(sum(plans()), 0u);
  EXPECT_EQ(odd(plans()), std::nullopt);
  EXPECT_EQ(sum({{}, {}}), 0u);
  EXPECT_EQ(odd({{}, {}}), std::nullopt);
}

// A rank whose Plan differs towards several peers is the odd one, whoever comes first.
TEST(PlanAgreement, TheRankWithAnotherPlanIsNamed) {
  for (std::size_t i = 0; i < kRanks; ++i) {
    auto changed = plans();
    for (Send& send : changed[i].lanes[0][1].sends) ++send.what.count;
    EXPECT_NE(sum(changed), 0u);
    EXPECT_EQ(odd(changed), Rank(i));

    changed = plans();
    changed[i].lanes[0].insert(changed[i].lanes[0].begin(), Step{});  // a step later
    EXPECT_NE(sum(changed), 0u);
    EXPECT_EQ(odd(changed), Rank(i));

    changed = plans();
    changed[i] = {};
    EXPECT_NE(sum(changed), 0u);
    EXPECT_EQ(odd(changed), Rank(i));
  }
}

TEST(PlanAgreement, EveryPartOfATransferCounts) {
  const auto differs = [](auto change) {
    auto changed = plans();
    change(changed[2].lanes[0][0].sends[0]);
    return sum(changed) != 0 && odd(changed).has_value();
  };
  EXPECT_TRUE(differs([](Send& send) { send.what.first = 1; }));
  EXPECT_TRUE(differs([](Send& send) { send.what.count = 9; }));
  EXPECT_TRUE(differs([](Send& send) { send.to.via = Port(1); }));
  EXPECT_TRUE(differs([](Send& send) { send.to.at = Port(0); }));
  EXPECT_TRUE(differs([](Send& send) { send.to.rank = Rank(0); }));
}

// Ranks of a parameter server may disagree with the last server alone: the gradient's length tells.
TEST(PlanAgreement, OfTwoTheOneWithAnotherLengthIsNamed) {
  for (std::size_t i = 1; i < kRanks; ++i) {
    auto changed = plans();
    ++changed[i].lanes[0][1].sends[0].what.count;  // to rank 0
    EXPECT_EQ(odd(changed), Rank(i));
  }
}

// Two ranks that disagree with each other alone: the first is named.
TEST(PlanAgreement, OfTwoTheFirstIsNamed) {
  auto changed = plans();
  changed[3].lanes[0][0].sends[0].what.count = 9;  // to rank 0
  EXPECT_EQ(odd(changed), Rank(0));
}

}  // namespace
}  // namespace gradwire
