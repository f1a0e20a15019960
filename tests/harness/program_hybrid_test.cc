#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// Hybrid parallelism, measured: inputs, errors and gradients over emulated links.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using testing::Program;
using testing::read;

class EmulatedHybrid : public Program {};

// Late-multiply (2017), section 2.2: a model's test patterns arrive whole, and a network's weights after a
// step are those of a single device; the ports carried what the Plans say.
TEST_F(EmulatedHybrid, MovesAndComputesWhatItShould) {
  const fs::path out = scratch_ / "run";
  const std::string points =
      "dilation: 4\nwarmup: 1\niterations: 3\nsweep:\n  zip:\n"
      "    algorithm: [ring, \"ps(servers=1, dedicated)\", ring, \"ps(servers=1, dedicated)\", "
      "bml]\n"
      "    wiring: [single-switch(2), single-switch(3), single-switch(4), single-switch(3), "
      "\"bcube(2,2)\"]\n"
      "    workload:\n"
      "      - \"hybrid(model=lenet5, samples=4)\"\n"
      "      - \"hybrid(model=lenet5, samples=4)\"\n"
      "      - \"hybrid(image=1x8, convolutions=4x3+6x3, stack=12+5, samples=4)\"\n"
      "      - \"hybrid(image=1x8, convolutions=4x3+6x3, stack=12+5, samples=4)\"\n"
      "      - \"hybrid(image=1x8, convolutions=4x3+6x3, stack=12+5, samples=4)\"\n";
  ASSERT_EQ(measure({"run", experiment(points), "--backing", "emulated,simulated", "-o", out}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const auto rows = nlohmann::json::parse(read(out / "results.json")).at("rows");
  ASSERT_EQ(rows.size(), 10u);
  for (const nlohmann::json& row : rows) {
    const std::string name =
        row.at("algorithm").get<std::string>() + " " + row.at("workload").get<std::string>();
    EXPECT_GT(row.at("gst_us").at("min").get<double>(), 0) << name;
    if (row.at("backing") != "emulated") continue;
    EXPECT_EQ(row.at("wrong"), 0) << name;
    for (const auto& flag : row.at("flags")) EXPECT_NE(flag, "bytes-off-plan") << name;
  }
}

}  // namespace
}  // namespace gradwire::harness
