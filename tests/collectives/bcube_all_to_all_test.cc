#include "collectives/bcube_all_to_all.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/goal.h"
#include "tests/collectives/plans.h"
#include "topologies/cut.h"

namespace gradwire::collectives {
namespace {

using ::testing::IsEmpty;

// The goal is reached with any number of elements; with N k of them for each block, in (n-1)/n T_F,
// and no schedule is faster (topologies/cut.h).
TEST(BcubeAllToAll, IsProvenAndMeetsItsBound) {
  for (const auto& [n, k] : {std::pair(2, 1), std::pair(2, 3), std::pair(3, 2), std::pair(4, 2)}) {
    const auto topology = testing::make_topology(fmt::format("bcube({},{})", n, k));
    const std::size_t hosts = topology->hosts();
    for (const std::size_t elements : {std::size_t{1}, std::size_t{17}, hosts * 12}) {
      const auto plans = testing::plans_of(
          *topology, [&](Rank rank) { return bcube_all_to_all::plan(*topology, rank, elements); });
      const Goal goal = all_to_all(hosts, hosts * elements);
      EXPECT_THAT(check_plans(plans, goal), IsEmpty()) << topology->name() << " " << elements;
      for (const Plan& plan : plans) EXPECT_EQ(step_count(plan), topology->ports_per_host());
      if (elements != hosts * 12) continue;
      const double least = bcube_all_to_all::closed_form(static_cast<std::size_t>(n));
      EXPECT_NEAR(testing::bound(*topology, plans, elements), least, 1e-9) << topology->name();
      EXPECT_NEAR(topologies::cut_bound(*topology, goal).t_f / static_cast<double>(elements), least,
                  1e-9);
    }
  }
}

// The header's picture: on BCube(3,2) the block from 0,0 (rank 0) to 2,1 (rank 7), elements [14, 16)
// of 9 blocks of 2, goes by 0,1 (rank 1) in lane 0, by 2,0 (rank 6) in lane 1.
TEST(BcubeAllToAll, BlocksGoDigitByDigit) {
  const auto topology = testing::make_topology("bcube(3,2)");
  const auto plans = testing::plans_of(
      *topology, [&](Rank rank) { return bcube_all_to_all::plan(*topology, rank, 18); });
  using ::testing::Contains;
  EXPECT_THAT(testing::transfers(plans, 0, 0), Contains("0 -> 1: [14,15) put"));
  EXPECT_THAT(testing::transfers(plans, 1, 0), Contains("1 -> 7: [14,15) put"));
  EXPECT_THAT(testing::transfers(plans, 0, 1), Contains("0 -> 6: [15,16) put"));
  EXPECT_THAT(testing::transfers(plans, 1, 1), Contains("6 -> 7: [15,16) put"));
}

TEST(BcubeAllToAll, RunsOnABcubeOnly) {
  const auto topology = testing::make_topology("fat-tree(4)");
  EXPECT_THROW(static_cast<void>(bcube_all_to_all::plan(*topology, Rank(0), 16)), InputError);
}

}  // namespace
}  // namespace gradwire::collectives
