#include "simulator/company.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"
#include "tests/simulator/rounding.h"
#include "topologies/load.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using jobs::testing::compute_and_send;
using ::testing::ElementsAre;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::simple_plans;

// A ring of N sends 2 (N-1)/N S over each host's cable in each direction.
TEST(LinkBytes, AreWhatPlansSend) {
  const auto topology = make_topology("single-switch(4)");
  const jobs::Node sum = call(Collective::all_reduce, 0, 12);
  const jobs::Job job = jobs::testing::job_of_all({sum, compute(1), sum}, 3);
  const Tenant tenant{.job = job, .seats = {Rank(3), Rank(0), Rank(1)}};
  const std::vector<double> bytes = link_bytes(*topology, tenant, simple_plans(*topology));
  ASSERT_EQ(bytes.size(), 8U);
  EXPECT_NEAR(std::accumulate(bytes.begin(), bytes.end(), 0.0), 3 * 2 * 2 * (2 * 2.0 / 3 * 12 * 4),
              kRounding);
  const Peer first{.rank = Rank(0), .via = Port(0), .at = Port(0)};
  const std::uint32_t from_second =
      topologies::planned_links(*topology, Rank(2), first).front().link;
  EXPECT_EQ(bytes[from_second], 0) << "host 2 is not of the job";
}

// Two equal jobs at once over one uplink: c + 2 d, alone c + d. A third shares nothing with them.
TEST(Company, SaysWhoSlowsWhom) {
  const auto topology = make_topology("leaf-spine(2,4,1)");  // hosts 0 to 3 and 4 to 7
  const jobs::Job job = compute_and_send(4, 6);
  const std::vector<Tenant> tenants{{.job = job, .seats = {Rank(0), Rank(4)}, .iterations = 3},
                                    {.job = job, .seats = {Rank(1), Rank(5)}, .iterations = 5},
                                    {.job = job, .seats = {Rank(2), Rank(3)}, .iterations = 2}};
  const Company company =
      keep_company(*topology, tenants, simple_plans(*topology), kElementPerSecond);
  for (const double alone : company.alone) EXPECT_NEAR(alone, 10, kRounding);
  EXPECT_NEAR(company.together[0], 16, kRounding);
  EXPECT_NEAR(company.together[1], 16, kRounding);
  EXPECT_NEAR(company.together[2], 10, kRounding);
  EXPECT_NEAR(company.slowdown[0][1], 1.6, kRounding);
  EXPECT_NEAR(company.slowdown[1][0], 1.6, kRounding);
  EXPECT_EQ(company.slowdown[0][2], 1);
  EXPECT_EQ(company.slowdown[2][1], 1);
  ASSERT_TRUE(company.links[0]);
  EXPECT_THAT(company.links[0]->others, ElementsAre(1));
  EXPECT_NEAR(company.links[0]->seconds, 12, kRounding);
  EXPECT_NEAR(company.links[0]->own_seconds, 6, kRounding);
  EXPECT_FALSE(company.links[2]) << "it shares none";
}

TEST(Company, NamesTheBusiestOfSharedLinks) {
  // Both jobs leave by the same uplink, but only the first also meets a third job's on the way down.
  const auto topology = make_topology("leaf-spine(3,2,1)");
  const jobs::Job small = compute_and_send(1, 2);
  const jobs::Job large = compute_and_send(1, 9);
  const std::vector<Tenant> tenants{{.job = small, .seats = {Rank(0), Rank(4)}},
                                    {.job = small, .seats = {Rank(1), Rank(2)}},
                                    {.job = large, .seats = {Rank(3), Rank(5)}}};
  const Company company =
      keep_company(*topology, tenants, simple_plans(*topology), kElementPerSecond, false);
  EXPECT_TRUE(company.slowdown.empty());
  EXPECT_THAT(company.links[0]->others, ElementsAre(2)) << "11 s on the way down, 4 s on that up";
  EXPECT_NEAR(company.links[0]->seconds, 11, kRounding);
  EXPECT_THAT(company.links[1]->others, ElementsAre(0));
  EXPECT_NEAR(company.links[1]->seconds, 4, kRounding);
}

}  // namespace
}  // namespace gradwire::simulator
