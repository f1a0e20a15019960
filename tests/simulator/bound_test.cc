#include "simulator/bound.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/simulator/plans.h"
#include "tests/simulator/rounding.h"
#include "topologies/load.h"

/// The bound against what a simulation of the same Plans takes.
namespace gradwire::simulator {
namespace {

struct Margin {
  std::size_t points = 0;
  std::size_t reached = 0;    ///< the simulation takes the bound's time
  std::size_t below_sum = 0;  ///< it ends before the steps' times are over, one after the other
};

/// Simulates every algorithm that runs on the wiring, and expects none to beat its bound.
void hold(const std::string& wiring, double burst, Margin& margin) {
  const auto topology = testing::make_topology(wiring);
  const std::size_t elements = 24 * topology->hosts() * topology->ports_per_host() + 5;
  const NetworkModel model{.rate = sizeof(float),
                           .burst = burst * sizeof(float),
                           .burst_factor = burst > 0 ? 50.0 : 1.0};
  for (const auto& [algorithm, make_plan] : testing::algorithms()) {
    if (!testing::fits(algorithm, *topology)) continue;
    const auto plans = testing::plans_of(algorithm, *topology, elements);
    const double bound = least_time(WholeFabric(*topology), plans, burst);
    const double time = testing::time_of(*topology, plans, model);
    EXPECT_GE(time, bound * (1 - kRounding)) << algorithm << " on " << wiring << ", " << burst;
    ++margin.points;
    if (time <= bound * (1 + kRounding)) ++margin.reached;
    if (time < topologies::step_bound(*topology, plans) * (1 - kRounding)) ++margin.below_sum;
  }
}

// Hashed routes load links unevenly: hierarchical synchronization then overlaps steps that wait
// for different links, and ends before their times are over, one after the other.
TEST(Bound, NoSimulationIsFaster) {
  Margin margin;
  for (const char* wiring :
       {"bcube(3,2)", "bcube(2,3)", "bcube(4,2)", "single-switch(5)", "single-switch(8)",
        "fat-tree(4)", "fat-tree(4,ecmp)", "fat-tree(4,ecmp,seed=2)", "leaf-spine(4,3,2)",
        "leaf-spine(4,4,2,ecmp,seed=3)", "leaf-spine(4,3,2,speed=1.5)", "torus(3,3)",
        "rail-only(5,3)"}) {
    hold(wiring, 0, margin);
  }
  EXPECT_GT(margin.points, 60u);
  EXPECT_GT(margin.reached, margin.points / 2) << "a bound that is far below tells nothing";
  EXPECT_GT(margin.below_sum, 0u) << "the sum over the steps is no bound";
}

// Links that pass a burst at fifty times their rate, as an emulated link's shaper lets one through.
TEST(Bound, NoSimulationWithBurstsIsFaster) {
  Margin margin;
  for (const double burst : {1.0, 10.0, 40.0, 1000.0}) {
    for (const char* wiring : {"bcube(3,2)", "single-switch(8)", "fat-tree(4)",
                               "leaf-spine(4,3,2,speed=1.5)", "fat-tree(4,ecmp,seed=2)"}) {
      hold(wiring, burst, margin);
    }
  }
  EXPECT_GT(margin.points, 100u);
  EXPECT_GT(margin.below_sum, margin.points / 4) << "bursts let most of them be faster";
}

}  // namespace
}  // namespace gradwire::simulator
