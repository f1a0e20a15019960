#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;
using testing::read;

/// The rows of a run's results.json.
nlohmann::json rows_in(const fs::path& folder) {
  return nlohmann::json::parse(read(folder / "results.json")).at("rows");
}

TEST_F(Program, MeasuresLibrariesBesideOurs) {
  const std::string file = experiment(
      "dilation: 10\nelements: 100003\nwarmup: 1\niterations: 6\nwiring: single-switch(4)\n"
      "sweep:\n  product:\n    algorithm: [ring, gloo(ring), gloo(halving-doubling), "
      "gloo(bcube)]\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const auto rows = rows_in(out);
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_THAT(row.at("flags"), Each(Not("bytes-off-plan"))) << row;
    EXPECT_GT(row.at("efficiency"), 0.1) << row;
  }
  EXPECT_TRUE(marked().empty());
}

// One mpirun per algorithm, in the hosts' namespaces.
TEST_F(Program, MeasuresMpiBesideOurs) {
  const std::string file = experiment(
      "dilation: 10\nelements: 100003\nwarmup: 1\niterations: 6\n"
      "sweep:\n  zip:\n    algorithm: [ring, gloo(ring), mpi, mpi(ring), bml, mpi(linear)]\n"
      "    wiring: [single-switch(4), single-switch(4), single-switch(4), single-switch(4), "
      "\"bcube(2,2)\", \"bcube(2,2)\"]\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const auto rows = rows_in(out);
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_THAT(row.at("flags"), Each(Not("bytes-off-plan"))) << row;
  }
  EXPECT_TRUE(marked().empty());
}

// What they do beside all-reduces is verified as what we do: 9 ranks, and parts of two lengths.
TEST_F(Program, MeasuresOtherCollectivesOfLibraries) {
  const std::string file = experiment(
      "dilation: 10\nelements: 10007\nwarmup: 1\niterations: 3\nwiring: single-switch(9)\n"
      "sweep:\n  product:\n    algorithm: [gloo(all-gather), gloo(reduce-scatter), "
      "gloo(all-to-all), gloo(broadcast), gloo(reduce), mpi(all-gather), mpi(reduce-scatter), "
      "mpi(all-to-all), mpi(broadcast), mpi(reduce)]\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  const auto rows = rows_in(out);
  ASSERT_EQ(rows.size(), 10u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_THAT(row.at("flags"), Each(Not("bytes-off-plan"))) << row;
    EXPECT_LT(row.at("efficiency"), 1.05) << row;  // no bound is beaten, but for bursts
  }
}

TEST_F(Program, ADeadRankOfMpiIsNamed) {
  const std::string file = experiment(
      "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 2s\n"
      "algorithm: mpi(ring)\nwiring: single-switch(3)\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 5);
  // Of each rank there is the worker, and its keeper, which came first; and mpirun before all.
  const auto all = workers();
  ASSERT_FALSE(all.empty());
  ::kill(*std::ranges::max_element(all), SIGKILL);
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("was killed by signal 9"));
  EXPECT_TRUE(marked().empty());
}

TEST_F(Program, TrainsThroughALibrary) {
  std::ofstream(scratch_ / "mine.csv") << "# source: three layers, made up\n"
                                          "tensor,elements,forward_us,backward_us\n"
                                          "first,40000,2000,4000\n"
                                          "second,15000,1000,2500\n"
                                          "third,5000,1000,2500\n";
  const std::string file = experiment(
      "dilation: 10\nwarmup: 1\niterations: 6\ncompute: {trace: mine.csv}\n"
      "algorithm: gloo(ring)\nwiring: single-switch(4)\n"
      "sweep:\n  product:\n    schedule: [wfbp, mg-wfbp]\n");
  const fs::path out = scratch_ / "run";
  const fs::path trace = scratch_ / "trace.json";
  ASSERT_EQ(measure({"run", file, "-o", out, "--trace", trace}), commands::kExitOk)
      << read(scratch_ / "stderr");
  for (const auto& row : rows_in(out)) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_GE(row.at("training").at("predicted_iteration_us"), 13'000) << row;
  }
}

TEST_F(Program, MeasuresUnlimitedLinks) {
  const std::string file = experiment(
      "elements: 30011\nwarmup: 1\niterations: 6\nwiring: single-switch(3)\n"
      "sweep:\n  product:\n    algorithm: [ring, gloo(ring)]\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out, "--rate", "unlimited"}), commands::kExitOk)
      << read(scratch_ / "stderr");
  for (const auto& row : rows_in(out)) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_TRUE(row.at("bound_us").is_null()) << row;
    EXPECT_TRUE(row.at("efficiency").is_null()) << row;
    EXPECT_THAT(row.at("flags"), Contains("unshaped")) << row;
  }
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("unlimited links"));
  const fs::path page = scratch_ / "page.html";
  EXPECT_EQ(finish(start({"report", out.string(), "-o", page.string()})), commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_EQ(finish(start({"compare", out.string(), out.string()})), commands::kExitOk)
      << read(scratch_ / "stdout") << read(scratch_ / "stderr");
}

TEST_F(Program, ADeadPeerOfALibraryIsNamed) {
  const std::string file = experiment(
      "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 2s\n"
      "algorithm: gloo(ring)\nwiring: single-switch(4)\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 5);
  const auto all = workers();
  ASSERT_FALSE(all.empty());
  ::kill(all.back(), SIGKILL);
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("was killed by signal 9"));
  EXPECT_TRUE(marked().empty());
}

TEST_F(Program, ALibraryHasNoPlanToShow) {
  EXPECT_EQ(finish(start({"plan", "gloo(ring)", "single-switch(4)"})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("its schedule is its own"));
}

}  // namespace
}  // namespace gradwire::harness
