#include "collectives/algorithms/collectives.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/plan_check.h"
#include "topologies/cut.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Every way of every collective, on wirings of 8 hosts: proven, and never faster than the bound.
TEST(Collectives, EveryWayReachesItsGoal) {
  for (const CollectiveWay& way : collective_ways()) {
    const std::string name = fmt::format("{}({})", way.collective, way.way);
    EXPECT_FALSE(way.about.empty()) << name;
    for (const char* wiring : {"bcube(2,3)", "torus(2,2,2)", "leaf-spine(2,4,1,speed=0.5)"}) {
      const auto topology = topologies::make_topology(wiring);
      if (way.about.ends_with("bcube(n,k)") && !topology->bcube_digits()) continue;
      if (way.way == "hierarchical" && topology->name().starts_with("torus")) continue;
      const NamedCollective collective(text::parse_spec(name), *topology);
      const Goal goal = collective.achieves({.elements = 960}).goal;
      const auto plans = collective.plans(topology->hosts(), {.elements = 960});
      EXPECT_THAT(check_plans(plans, goal), IsEmpty()) << name << " on " << wiring;
      EXPECT_GE(topologies::step_bound(*topology, plans) * (1 + 1e-9),
                topologies::cut_bound(*topology, goal).t_f)
          << name << " on " << wiring;
    }
  }
}

TEST(Collectives, TheFirstWayIsTheOneWithoutAName) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  std::set<std::string_view> seen;
  for (const CollectiveWay& way : collective_ways()) {
    if (!seen.insert(way.collective).second) continue;
    const text::Spec plain = text::parse_spec(way.collective);
    EXPECT_TRUE(is_collective(plain));
    const text::Spec named = text::parse_spec(fmt::format("{}({})", way.collective, way.way));
    EXPECT_EQ(NamedCollective(plain, *topology).plan(Rank(4), {.elements = 90}),
              NamedCollective(named, *topology).plan(Rank(4), {.elements = 90}));
  }
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Collectives, TakeRootsAndReceivers) {
  const auto topology = topologies::make_topology("bcube(3,2)");
  const auto goal = [&](const char* name) {
    return NamedCollective(text::parse_spec(name), *topology).achieves({.elements = 90}).goal;
  };
  EXPECT_EQ(contributors(goal("broadcast(chain, root=3, pieces=5)")), std::vector{Rank(3)});
  EXPECT_EQ(goal("reduce(root=8)").ends[8].size(), 1u);
  EXPECT_EQ(contributors(goal("broadcast(root=0)")), std::vector{Rank(0)});
  EXPECT_FALSE(goal("send").ends[8].empty());
  EXPECT_FALSE(goal("send(direct, to=5)").ends[5].empty());
  const NamedCollective send(text::parse_spec("send(to=5)"), *topology);
  EXPECT_TRUE(send.plan(Rank(1), {.elements = 90}).lanes.empty()) << "takes no part";
}

std::string refusal(const char* name, const char* wiring) {
  const auto topology = topologies::make_topology(wiring);
  try {
    const NamedCollective collective(text::parse_spec(name), *topology);
    static_cast<void>(collective.achieves({.elements = 90}));
    static_cast<void>(collective.plan(Rank(0), {.elements = 90}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Collectives, RefuseWhatTheyDoNotKnow) {
  EXPECT_THAT(refusal("broadcast(ring)", "bcube(3,2)"), HasSubstr("unknown option 'ring'"));
  EXPECT_THAT(refusal("all-gather(ring, bruck)", "bcube(3,2)"), HasSubstr("one way at a time"));
  EXPECT_THAT(refusal("all-gather(root=2)", "bcube(3,2)"), HasSubstr("unknown option 'root'"));
  EXPECT_THAT(refusal("reduce(root=9)", "bcube(3,2)"), HasSubstr("bcube(3,2) has no rank 9"));
  EXPECT_THAT(refusal("reduce(root=-1)", "bcube(3,2)"), HasSubstr("'-1' is not a whole number"));
  EXPECT_THAT(refusal("send(to=0)", "bcube(3,2)"), HasSubstr("does not send to itself"));
  EXPECT_THAT(refusal("reduce(pieces=4)", "bcube(3,2)"), HasSubstr("pieces are of a chain"));
  EXPECT_THAT(refusal("all-gather(doubling)", "bcube(3,2)"), HasSubstr("a power of two"));
  EXPECT_THAT(refusal("all-gather(bml)", "fat-tree(4)"), HasSubstr("bcube(n,k) only"));
  EXPECT_THAT(refusal("reduce(chain, pieces=10001)", "bcube(3,2)"), HasSubstr("10000 pieces"));
  EXPECT_THAT(refusal("all-gather", "bcube(17,2)"), HasSubstr("289 hosts; 256 at most"));
}

}  // namespace
}  // namespace gradwire::algorithms
