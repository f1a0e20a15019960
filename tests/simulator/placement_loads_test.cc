#include "simulator/placement_loads.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/placement_starts.h"
#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using ::testing::ElementsAre;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::simple_plans;

std::vector<Rank> ranks(const std::vector<std::size_t>& numbers) {
  std::vector<Rank> all;
  for (const std::size_t number : numbers) all.emplace_back(number);
  return all;
}

// A pair that sums all the time keeps both directions of each of its links busy: two cables below a
// leaf, four across. Where two pairs cross, four directed uplinks are twice as busy.
TEST(PlacementLoads, AreThoseOfTheBusiestLinks) {
  const auto topology = make_topology("leaf-spine(2,4,1)");
  const jobs::Job pair = jobs::testing::job_of_all({call(Collective::all_reduce, 0, 8)}, 2);
  const std::vector<Tenant> tenants{{.job = pair, .seats = ranks({0, 1})},
                                    {.job = pair, .seats = ranks({2, 3})}};
  const PlansOf plans_of = simple_plans(*topology);
  const PlacementJudge judge(*topology, tenants, plans_of, kElementPerSecond);
  PlacementLoads loads(judge, plans_of, kElementPerSecond);
  loads.go_to({ranks({0, 1}), ranks({2, 3})});
  EXPECT_NEAR(loads.crowding().load, 2 * 4, 1e-9);
  EXPECT_EQ(loads.crowding().distance, 2 * 2);
  EXPECT_EQ(loads.job_on(Rank(2)), 1U);
  EXPECT_EQ(loads.job_on(Rank(4)), PlacementLoads::kFree);
  loads.go_to({ranks({0, 4}), ranks({1, 5})});
  EXPECT_NEAR(loads.crowding().load, 8 + 4 * 16, 1e-9);
  EXPECT_EQ(loads.crowding().distance, 2 * 4);
  const Crowding together = loads.if_exchanged(Rank(4), Rank(1));
  EXPECT_NEAR(together.load, 2 * 4, 1e-9);
  EXPECT_EQ(together.distance, 2 * 2);
  EXPECT_THAT(loads.exchanged(Rank(4), Rank(1)), ElementsAre(ranks({0, 1}), ranks({4, 5})));
}

TEST(Crowding, GoesByLoadAndThenByDistance) {
  const Crowding crowded{.load = 2, .distance = 1};
  const Crowding far{.load = 1, .distance = 9};
  const Crowding near{.load = 1 + 1e-12, .distance = 8};
  EXPECT_LT(far, crowded);
  EXPECT_LT(near, far) << "the loads differ by rounding";
  EXPECT_GT(far, near);
}

// After any exchanges loads and distances are those that are counted anew.
TEST(PlacementLoads, AreKeptWhileHostsAreExchanged) {
  std::mt19937 random(1);
  for (const char* wiring : {"leaf-spine(3,4,2)", "bcube(3,2)", "fat-tree(4)"}) {
    const auto topology = make_topology(wiring);
    const jobs::Job sums = jobs::testing::job_of_all({call(Collective::all_reduce, 0, 9)}, 3);
    const jobs::Job swaps =
        jobs::testing::job_of_all({compute(5), call(Collective::all_to_all, 0, 8)}, 4);
    const std::vector<Tenant> tenants{{.job = sums, .seats = ranks({0, 1, 2})},
                                      {.job = swaps, .seats = ranks({3, 4, 5, 6})}};
    const PlansOf plans_of = simple_plans(*topology);
    const PlacementJudge judge(*topology, tenants, plans_of, kElementPerSecond);
    PlacementLoads kept(judge, plans_of, kElementPerSecond);
    PlacementLoads anew(judge, plans_of, kElementPerSecond);
    const std::vector<std::size_t> sizes{3, 4};
    kept.go_to(shuffled(topology->hosts(), sizes, random));
    for (int i = 0; i < 200; ++i) {
      const Rank a(random() % topology->hosts());
      const Rank b(random() % topology->hosts());
      if (kept.job_on(a) == kept.job_on(b)) continue;
      const Crowding told = kept.if_exchanged(a, b);
      kept.exchange(a, b);
      anew.go_to(kept.seats());
      ASSERT_NEAR(told.load, anew.crowding().load, 1e-9 * told.load) << wiring;
      ASSERT_NEAR(kept.crowding().load, anew.crowding().load, 1e-9 * told.load) << wiring;
      ASSERT_EQ(told.distance, anew.crowding().distance) << wiring;
      for (std::size_t host = 0; host < topology->hosts(); ++host) {
        ASSERT_EQ(kept.job_on(Rank(host)), anew.job_on(Rank(host)));
      }
    }
  }
}

TEST(PlacementStarts, PackJobsBelowSwitchesAndIntoGroups) {
  const auto leaves = make_topology("leaf-spine(2,5,1)");
  const std::vector<std::size_t> three{2, 3, 3};
  EXPECT_THAT(packed(*leaves, three),
              ElementsAre(ranks({3, 4}), ranks({0, 1, 2}), ranks({5, 6, 7})))
      << "the largest first, each where least room is left";
  const auto pods = make_topology("fat-tree(4)");  // pods of two switches with two hosts each
  const std::vector<std::size_t> two{2, 4};
  EXPECT_THAT(packed(*pods, two), ElementsAre(ranks({4, 5}), ranks({0, 1, 2, 3})));
  const std::vector<std::size_t> apart{3, 3, 4};
  EXPECT_THAT(packed(*leaves, apart),
              ElementsAre(ranks({5, 6, 7}), ranks({4, 8, 9}), ranks({0, 1, 2, 3})))
      << "the last has room nowhere but in all";
}

TEST(PlacementStarts, DealAndShuffleHosts) {
  const std::vector<std::size_t> sizes{2, 3};
  EXPECT_THAT(dealt(6, sizes), ElementsAre(ranks({0, 3}), ranks({1, 2, 4})));
  std::mt19937 random(5);
  std::mt19937 same(5);
  for (int i = 0; i < 20; ++i) {
    const Seats seats = shuffled(6, sizes, random);
    EXPECT_EQ(seats, shuffled(6, sizes, same));
    std::vector<Rank> all = seats[0];
    all.insert(all.end(), seats[1].begin(), seats[1].end());
    ASSERT_EQ(all.size(), 5U);
    for (const auto& hosts : seats) EXPECT_TRUE(std::ranges::is_sorted(hosts));
    std::ranges::sort(all);
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
    EXPECT_LT(all.back().index(), 6U);
  }
}

}  // namespace
}  // namespace gradwire::simulator
