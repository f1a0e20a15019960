#include "topologies/ecmp.h"

#include <gtest/gtest.h>

namespace gradwire::topologies {
namespace {

// Computed by an independent implementation. Every part of a flow changes the choice.
TEST(EcmpChoice, IsTheSameOnEveryMachine) {
  constexpr std::size_t kChoices = 1'000'003;
  const Flow flow{Rank(0), Rank(5), Port(0)};
  EXPECT_EQ(ecmp_choice({1}, NodeId(16), flow, kChoices), 335'631u);
  EXPECT_EQ(ecmp_choice({2}, NodeId(16), flow, kChoices), 821'591u);
  EXPECT_EQ(ecmp_choice({1}, NodeId(17), flow, kChoices), 556'060u);
  EXPECT_EQ(ecmp_choice({1}, NodeId(16), {Rank(5), Rank(0), Port(0)}, kChoices), 497'519u);
  EXPECT_EQ(ecmp_choice({1}, NodeId(16), {Rank(0), Rank(5), Port(1)}, kChoices), 462'442u);
}

TEST(EcmpSuffix, LeavesOutTheDefaultSeed) {
  EXPECT_EQ(ecmp_suffix(std::nullopt), "");
  EXPECT_EQ(ecmp_suffix(Ecmp{}), ",ecmp");
  EXPECT_EQ(ecmp_suffix(Ecmp{3}), ",ecmp,seed=3");
}

}  // namespace
}  // namespace gradwire::topologies
