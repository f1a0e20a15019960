#include "collectives/algorithms/job_plans.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan_check.h"
#include "tests/schedule/jobs/jobs.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using jobs::Call;
using jobs::Collective;
using ::testing::IsEmpty;

/// What the checker finds when the group's members run these Plans and all other hosts nothing.
std::vector<std::string> findings(const topologies::Topology& topology, const Call& call,
                                  const Group& group, const std::vector<Plan>& plans) {
  std::vector<Plan> all(topology.hosts());
  for (std::size_t place = 0; place < group.size(); ++place) {
    all[group[place].index()] = plans.at(place);
  }
  return check_plans(
      all, for_group(jobs::testing::goal_of(call, group.size()), group, topology.hosts()));
}

TEST(JobPlans, ReachTheirGoalInAnyGroup) {
  std::mt19937 random(3);
  for (const char* wiring : {"single-switch(9)", "bcube(3,2)", "leaf-spine(3,3,2)"}) {
    const auto topology = topologies::make_topology(wiring);
    for (const CollectiveWay& way : job_ways()) {
      const Collective collective = jobs::find_collective(way.collective).value();
      for (const std::size_t members : {1U, 2U, 4U, 7U, 8U, 9U}) {
        const bool halves = way.way == "halving" || way.way == "doubling";
        if (collective == Collective::send && members != 2) continue;
        if (halves && (members & (members - 1)) != 0) continue;
        Group group;
        for (std::size_t i = 0; i < topology->hosts(); ++i) group.emplace_back(i);
        std::ranges::shuffle(group, random);
        group.resize(members);
        for (const std::size_t elements : {1U, 13U, 64U}) {
          Call call{.what = collective, .elements = elements};
          const bool rooted =
              collective == Collective::broadcast || collective == Collective::reduce;
          if (rooted) call.root = static_cast<std::uint32_t>(members - 1);
          const JobAlgorithms algorithms({fmt::format("{}({})", way.collective, way.way)});
          EXPECT_THAT(findings(*topology, call, group, algorithms.plans(*topology, call, group)),
                      IsEmpty())
              << way.way << " of " << describe(call) << " among " << members << " of " << wiring;
        }
      }
    }
  }
}

std::size_t steps_of(const Plan& plan) {
  std::size_t steps = 0;
  for (const Lane& lane : plan.lanes) steps = std::max(steps, lane.size());
  return steps;
}

// So that the steps of calls that share connections meet (in_stages). One element leaves most members
// without a part.
TEST(JobPlans, HaveAsManyStepsOnAllMembers) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const Group all = collectives::everyone(*topology);
  for (const CollectiveWay& way : job_ways()) {
    const Collective collective = jobs::find_collective(way.collective).value();
    const bool halves = way.way == "halving" || way.way == "doubling";
    for (const std::size_t members : {2U, 3U, 4U, 7U, 8U, 9U}) {
      if (collective == Collective::send && members != 2) continue;
      if (halves && (members & (members - 1)) != 0) continue;
      const std::span group = std::span(all).first(members);
      const JobAlgorithms algorithms({fmt::format("{}({})", way.collective, way.way)});
      for (const std::size_t elements : {1U, 64U}) {
        const Call call{.what = collective, .elements = elements};
        const std::vector<Plan> plans = algorithms.plans(*topology, call, group);
        for (std::size_t place = 0; place < members; ++place) {
          EXPECT_EQ(steps_of(plans[place]), steps_of(plans[0]))
              << way.way << " of " << describe(call) << " among " << members;
          EXPECT_EQ(algorithms.plan(*topology, call, group, place), plans[place]);
        }
        EXPECT_EQ(algorithms.goal(*topology, call, group).ends,
                  jobs::testing::goal_of(call, members).ends);
      }
    }
  }
}

TEST(JobPlans, TakeTheFirstWayWhereNoneIsNamed) {
  const JobAlgorithms algorithms;
  EXPECT_EQ(algorithms.name_of(Collective::all_reduce), "all-reduce(ring)");
  EXPECT_EQ(algorithms.name_of(Collective::broadcast), "broadcast(binomial)");
  EXPECT_EQ(JobAlgorithms({"all-reduce"}).name_of(Collective::all_reduce), "all-reduce(ring)");
}

TEST(JobPlans, StandInTheirPage) {
  std::ostringstream page;
  page << std::ifstream(std::filesystem::path(GRADWIRE_ROOT) / "docs/jobs.md").rdbuf();
  std::map<std::string_view, std::vector<std::string_view>> ways;
  for (const CollectiveWay& way : job_ways()) ways[way.collective].push_back(way.way);
  for (const auto& [collective, names] : ways) {
    EXPECT_THAT(page.str(), ::testing::HasSubstr(fmt::format("| {}", fmt::join(names, ", "))))
        << collective;
  }
}

TEST(JobPlans, RunAlgorithmsOfExperimentsOnAllHosts) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const JobAlgorithms algorithms({"bml", "all-to-all(direct)"});
  EXPECT_EQ(algorithms.name_of(Collective::all_reduce), "bml");
  const Call call{.elements = 18};
  const Group all = collectives::everyone(*topology);
  const std::vector<Plan> plans = algorithms.plans(*topology, call, all);
  EXPECT_EQ(plans.front().lanes.size(), 2U);
  EXPECT_THAT(findings(*topology, call, all, plans), IsEmpty());
  Group turned = all;
  std::ranges::reverse(turned);
  EXPECT_THROW(std::ignore = algorithms.plans(*topology, call, turned), InputError);
  EXPECT_THROW(std::ignore = algorithms.plans(*topology, call, Group{Rank(0), Rank(1)}),
               InputError);
}

TEST(JobPlans, RefuseNamesThatMeanNothing) {
  const auto made = [](std::vector<std::string> names) { return JobAlgorithms(names); };
  EXPECT_THROW(made({"rong"}), InputError);
  EXPECT_THROW(made({"all-reduce(rong)"}), InputError);
  EXPECT_THROW(made({"broadcast(direct, root=1)"}), InputError) << "the job says the root";
  EXPECT_THROW(made({"broadcast(direct, binomial)"}), InputError);
  EXPECT_THROW(made({"ring", "all-reduce(bruck)"}), InputError) << "two for one";
}

}  // namespace
}  // namespace gradwire::algorithms
