#include "tests/simulator/simgrid.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "simulator/flows.h"
#include "tests/simulator/instances.h"
#include "topologies/registry.h"

/// Our flows against SimGrid's, which share no code and no author.
namespace {

using namespace gradwire;
using simulator::testing::Draws;
using simulator::testing::Instance;

/// Of the time that a flow is under way. Both sides compute in double precision and differ by some
/// 1e-13; SimGrid takes events within 1e-9 s for one.
constexpr double kTolerance = 1e-6;

/// Empty when every flow ends when SimGrid says; otherwise the first that does not.
std::string disagreement(const Instance& instance) {
  const auto ours = simulator::completion_times(instance.capacities, instance.flows);
  const auto theirs = simulator::testing::simgrid_run(instance.capacities, instance.flows).times;
  if (ours.size() != theirs.size()) return "not one time per flow";
  for (std::size_t f = 0; f < ours.size(); ++f) {
    const double limit = kTolerance * (theirs[f] - instance.flows[f].start);
    if (std::abs(ours[f] - theirs[f]) <= limit) continue;
    std::ostringstream text;
    text << std::setprecision(12) << "flow " << f << " of " << ours.size() << ": ours ends at "
         << ours[f] << " s, SimGrid's at " << theirs[f] << " s";
    return text.str();
  }
  return "";
}

constexpr std::array kWirings{"bcube(2,2)", "bcube(3,2)", "fat-tree(4)", "single-switch(5)"};

// A comparison that cannot fail proves nothing: a thousandth more bytes must be seen.
TEST(SimGrid, SeesAThousandth) {
  const Instance instance{.capacities = {1e6}, .flows = {{.links = {0}, .bytes = 1e6}}};
  Instance more = instance;
  more.flows[0].bytes = 1001e3;
  const auto times = simulator::testing::simgrid_run(instance.capacities, instance.flows).times;
  const auto later = simulator::testing::simgrid_run(more.capacities, more.flows).times;
  EXPECT_NEAR(times.at(0), 1, kTolerance);
  EXPECT_NEAR(later.at(0), 1.001, kTolerance);
}

TEST(SimGrid, RandomFlowsOnRandomLinks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_EQ(disagreement(simulator::testing::random_instance(seed)), "") << "seed " << seed;
  }
}

TEST(SimGrid, PushesOfUnequalShardsOnOurWirings) {
  for (const char* wiring : kWirings) {
    const auto topology = topologies::make_topology(wiring);
    Draws draws(topology->hosts());
    const auto push =
        simulator::testing::ps_push(*topology, [&](Rank, Rank) { return 1e3 * draws.bytes(); });
    EXPECT_EQ(disagreement(push), "") << wiring;
  }
}

// Everything ends together, or in a few groups.
TEST(SimGrid, PushesOfEqualShardsOnOurWirings) {
  for (const char* wiring : kWirings) {
    const auto topology = topologies::make_topology(wiring);
    const auto push = simulator::testing::ps_push(*topology, [](Rank, Rank) { return 1e8; });
    EXPECT_EQ(disagreement(push), "") << wiring;
  }
}

}  // namespace
