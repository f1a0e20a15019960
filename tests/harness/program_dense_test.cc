#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

/// Fully connected layers, measured: real matrices over emulated links.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;
using testing::read;

class EmulatedLayers : public Program {};

constexpr const char* kBothAlgorithms =
    "dilation: 4\nwarmup: 1\niterations: 3\n"
    "workload: \"dense(inputs=300, outputs=200, samples=40)\"\nsweep:\n  zip:\n"
    "    algorithm: [ring, ps(servers=1), all-gather(ring), bml, all-gather(bml)]\n"
    "    wiring: [single-switch(3), single-switch(3), single-switch(3), \"bcube(2,2)\", "
    "\"bcube(2,2)\"]\n";

// Late-multiply (2017), section 2.1: both algorithms, W_avg within 5e-7 of double precision and so
// within 1e-6 of each other; the ports carried what the Plans say.
TEST_F(EmulatedLayers, BothAlgorithmsEndWithTheSameAverage) {
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(
      measure({"run", experiment(kBothAlgorithms), "--backing", "emulated", "--wide", "-o", out}),
      commands::kExitOk)
      << read(scratch_ / "stderr");
  const auto rows = nlohmann::json::parse(read(out / "results.json")).at("rows");
  ASSERT_EQ(rows.size(), 5u);
  for (const nlohmann::json& row : rows) {
    const bool is_late = row.at("algorithm").get<std::string>().starts_with("all-gather");
    EXPECT_EQ(row.at("elements"), is_late ? row.at("N").get<int>() * 40 * 500 : 300 * 200);
    EXPECT_EQ(row.at("wrong"), 0) << row.at("algorithm");
    const nlohmann::json& dense = row.at("dense");
    EXPECT_LT(dense.at("deviation").get<double>(), 5e-7) << row.at("algorithm");
    EXPECT_GT(dense.at("products_us").get<double>(), 0);
    EXPECT_GT(dense.at("step_us").get<double>(), row.at("gst_us").at("min").get<double>());
    for (const auto& flag : row.at("flags")) {
      EXPECT_NE(flag, "bytes-off-plan") << row.at("algorithm");
    }
  }
  EXPECT_THAT(read(scratch_ / "stdout"), AllOf(HasSubstr("products"), HasSubstr("deviation")));
}

// What is measured can be shown again; products are in samples, and not in timelines.
TEST_F(EmulatedLayers, AreKeptWithTheirProducts) {
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", experiment(kBothAlgorithms), "--backing", "emulated", "-o", out}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const std::string printed = read(scratch_ / "stdout");
  ASSERT_EQ(finish(start({"results", "show", out})), commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_EQ(read(scratch_ / "stdout"), printed);
  EXPECT_THAT(read(out / "samples.ndjson"), HasSubstr("products_ns"));
  EXPECT_THAT(read(out / "timelines.ndjson"), Not(HasSubstr("products_ns")));
}

}  // namespace
}  // namespace gradwire::harness
