// Whether experiments/mg-wfbp-scaled-*.yaml have the links that make eight hosts as slow as a larger ring.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"
#include "schedule/collective_cost.h"
#include "topologies/topology.h"

namespace gradwire::experiment {
namespace {

namespace fs = std::filesystem;

// a and b of a ring of 8 with the file's start-up time and payload rate, where adding takes no time
// beside sending, are those of a ring of N with the network of TPDS Figure 10 (the constants of its
// plotting script): 2(N-1) alpha, and 2(N-1)/N beta + (N-1)/N gamma. Start-up times are whole
// nanoseconds, of 97 us and more.
TEST(ScaledFiles, HaveTheCostOfALargerRing) {
  const schedule::Network published{
      .alpha = Seconds(45.25e-6), .beta = 0.9934107462565104e-9, .gamma = 2.5e-9};
  for (const std::size_t workers : {16, 32, 64, 128, 256, 512}) {
    const std::string name = fmt::format("mg-wfbp-scaled-{}", workers);
    SCOPED_TRACE(name);
    const Experiment experiment =
        load_experiment(fs::path(GRADWIRE_ROOT) / "experiments" / (name + ".yaml"));
    EXPECT_EQ(experiment.name, name);
    for (const Point& point : experiment.points) EXPECT_EQ(point.wiring->hosts(), 8u);
    const schedule::Affine eight =
        schedule::ring(8, {.alpha = experiment.startup,
                           .beta = 8 / payload_rate(experiment).bits_per_second,
                           .gamma = 0});
    const schedule::Affine wanted = schedule::ring(workers, published);
    EXPECT_NEAR(eight.a / wanted.a, 1, 0.5e-9 / 96.9e-6);
    EXPECT_NEAR(eight.b / wanted.b, 1, 1e-6);
  }
}

}  // namespace
}  // namespace gradwire::experiment
