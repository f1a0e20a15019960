#include "collectives/algorithms/from_file.h"

#include <algorithm>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/all_reduces.h"
#include "collectives/algorithms/collectives.h"
#include "collectives/plan_files/plan_reader.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using ::testing::IsEmpty;
using testing::named;

/// The Plan with each step's transfers in order, and without steps and lanes of nothing at the end.
Plan in_order(Plan plan) {
  const auto is_empty = [](const Step& step) { return step.sends.empty() && step.recvs.empty(); };
  for (Lane& lane : plan.lanes) {
    while (!lane.empty() && is_empty(lane.back())) lane.pop_back();
    for (Step& step : lane) {
      std::ranges::sort(step.sends);
      std::ranges::sort(step.recvs);
    }
  }
  while (!plan.lanes.empty() && plan.lanes.back().empty()) plan.lanes.pop_back();
  return plan;
}

/// Writes an algorithm down, reads it again, and proves it for other numbers of elements.
void expect_same_again(const std::string& name, const topologies::Topology& topology,
                       std::size_t chunks) {
  const Algorithm algorithm = named(name, topology);
  const plan_files::PlanFile file = plan_files::parse_plan_file(algorithm.plan_text(chunks), name);
  EXPECT_EQ(file.collective, algorithm.collective()) << name;
  for (const std::size_t elements : {std::size_t{1}, chunks, 3 * chunks + 1}) {
    const std::vector<Plan> plans = plans_of(file, topology, elements);
    EXPECT_EQ(plan_of(file, topology, Rank(1), elements), plans[1]) << name;
    EXPECT_THAT(check_plans(plans, goal_of(file, topology, elements)), IsEmpty())
        << name << " on " << topology.name() << ", " << elements << " elements";
    if (elements != chunks) continue;
    for (std::size_t i = 0; i < topology.hosts(); ++i) {
      const Plan ours = algorithm.plan(Rank(i), {.elements = chunks});
      EXPECT_EQ(in_order(plans[i]), in_order(ours)) << name << ", rank " << i;
    }
  }
}

// What is written of an algorithm is the same algorithm, step by step, and proven for other sizes.
TEST(PlanText, OfEveryAlgorithmIsReadAsTheSame) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  for (const AlgorithmKind& kind : algorithm_kinds()) {
    expect_same_again(std::string(kind.name), *topology, 180);
  }
  expect_same_again("ps(dedicated, servers=2)", *topology, 180);
}

TEST(PlanText, OfEveryWayOfACollectiveIsReadAsTheSame) {
  const auto topology = topologies::make_topology("bcube(2,3)");
  for (const CollectiveWay& way : collective_ways()) {
    const std::string root =
        way.collective == "broadcast" || way.collective == "reduce" ? ", root=3" : "";
    expect_same_again(fmt::format("{}({}{})", way.collective, way.way, root), *topology, 192);
  }
  expect_same_again("send(to=5)", *topology, 30);
}

TEST(PlanText, OfAnAllToAllNeedsBlocks) {
  const auto topology = topologies::make_topology("single-switch(4)");
  EXPECT_THROW(static_cast<void>(named("all-to-all", *topology).plan_text(6)), InputError);
}

TEST(PlanFiles, AreMeantRelativeToTheFileThatNamesThem) {
  const text::Spec spec = text::parse_spec("plan(a/ring.json)");
  EXPECT_TRUE(is_plan_file(spec));
  EXPECT_EQ(to_string(in_folder_of(spec, "x/experiment.yaml")), "plan(x/a/ring.json)");
  EXPECT_EQ(to_string(in_folder_of(spec, "experiment.yaml")), "plan(a/ring.json)");
  EXPECT_EQ(to_string(in_folder_of(text::parse_spec("plan(a.json)"), "n=3/e.yaml")),
            "plan(./n=3/a.json)");
  EXPECT_THROW(static_cast<void>(in_folder_of(spec, "a\"b/e.yaml")), InputError);
  EXPECT_EQ(to_string(in_folder_of(text::parse_spec("plan(/a.json)"), "x/e.yaml")),
            "plan(/a.json)");
}

TEST(PlanFiles, AreNeededByTheirNameAndTakenByNoOther) {
  const auto topology = topologies::make_topology("single-switch(4)");
  for (const char* name : {"plan", "plan(mine)", "ring(a.json)", "all-gather(a.json)",
                           "gloo(a.json)", "plan(no-such-file.json)"}) {
    EXPECT_THROW(static_cast<void>(named(name, *topology)), InputError) << name;
  }
}

}  // namespace
}  // namespace gradwire::algorithms
