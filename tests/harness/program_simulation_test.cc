#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "program.h"
#include "tests/sanitized.h"

/// gradwire run --backing simulated, which needs no namespaces.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

class Simulation : public Program {
 protected:
  void SetUp() override {}  // does not ask whether the machine can emulate
};

/// The value at a JSON pointer of every row.
std::vector<double> column(const fs::path& folder, const std::string& pointer) {
  std::vector<double> values;
  const auto results = nlohmann::json::parse(read(folder / "results.json"));
  for (const auto& row : results.at("rows")) {
    values.push_back(row.at(nlohmann::json::json_pointer(pointer)).get<double>());
  }
  return values;
}

// BML paper, Figure 5, in T_F = 13,107,200 B / 5 GB/s, to a thousandth.
TEST_F(Simulation, ShippedFigure5) {
  if (testing::kSanitized) GTEST_SKIP() << "it simulates for minutes under a sanitizer";
  const fs::path file = fs::path(GRADWIRE_ROOT) / "experiments" / "bml-figure5.yaml";
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(finish(start({"run", file, "-o", out})), commands::kExitOk)
      << read(scratch_ / "stderr");
  const std::vector<double> expected{1.8750, 1.8750, 1.5000, 0.9375,
                                     1.9980, 1.9980, 1.9375, 0.9990};
  const std::vector<double> gst = column(out, "/gst_us/median");
  ASSERT_EQ(gst.size(), expected.size());
  for (std::size_t i = 0; i < gst.size(); ++i) {
    EXPECT_NEAR(gst[i] / 2621.44 / expected[i], 1, 1e-3) << i;
  }
}

// MG-WFBP's published numbers of messages, from simulated costs: 4, 8, ... 64 workers.
TEST_F(Simulation, Figure10SendsThePublishedMessages) {
  std::ofstream(scratch_ / "figure10.yaml")
      << "gradwire: 1\nname: figure10\nbacking: simulated\n"
         "link: {rate: 8.05306368Gbit, headers: none, startup: 45.25us}\n"
         "compute: {trace: googlenet-k80}\ncost: {gamma: 2.5}\nalgorithm: ring\n"
         "schedule: mg-wfbp\nsweep: {product: {wiring: [single-switch(4), single-switch(8), "
         "single-switch(16), single-switch(32), single-switch(64)]}}\n";
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(finish(start({"run", scratch_ / "figure10.yaml", "-o", out})), commands::kExitOk)
      << read(scratch_ / "stderr");
  std::vector<std::size_t> messages;
  const auto results = nlohmann::json::parse(read(out / "results.json"));
  for (const auto& row : results.at("rows")) {
    messages.push_back(row.at("training").at("buckets").size());
  }
  EXPECT_THAT(messages, ::testing::ElementsAre(10, 6, 6, 5, 3));
}

TEST_F(Simulation, OverridesTheFilesBacking) {
  const std::string file = experiment("algorithm: bml\nwiring: \"bcube(2,2)\"\nelements: 4096\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(finish(start({"run", file, "--backing", "simulated", "-o", out})), commands::kExitOk)
      << read(scratch_ / "stderr");
  EXPECT_THAT(read(scratch_ / "stdout"), AllOf(HasSubstr("virtual time"), HasSubstr("simulated")));
  EXPECT_EQ(finish(start({"run", file, "--backing", "imagined"})), commands::kExitUsage);
}

// A graph's file stands beside the experiment's, wherever the program is started.
TEST_F(Simulation, ReadsAGraphBesideTheExperiment) {
  std::ofstream(scratch_ / "mine.yaml") << "gradwire-graph: 1\nhosts: 2\nswitches: [s]\nlinks:\n"
                                           "  - [h0, s]\n  - {a: h1, b: s, speed: 0.5}\n";
  const std::string file =
      experiment("backing: simulated\nalgorithm: ring\nwiring: graph(mine.yaml)\nelements: 4096\n");
  const int ended = finish(start({"run", file, "-o", scratch_ / "run"}));
  EXPECT_EQ(ended, commands::kExitOk) << read(scratch_ / "stderr");
}

// What a folder names may be anything by the time that it is shown: nobody waits for a pipe.
TEST_F(Simulation, AReportWaitsForNoPipe) {
  const fs::path graph = scratch_ / "mine.yaml";
  const fs::path trace = scratch_ / "mine.csv";
  std::ofstream(graph) << "gradwire-graph: 1\nhosts: 2\nlinks: [[h0, h1]]\n";
  std::ofstream(trace) << "tensor,elements,backward_us\nw,4096,100\n";
  const std::string keys = "backing: simulated\nalgorithm: ring\n";
  for (const std::string more : {"wiring: graph(mine.yaml)\nelements: 4096\n",
                                 "wiring: single-switch(2)\ncompute: {trace: mine.csv}\n"}) {
    const fs::path out = scratch_ / std::to_string(more.size());
    ASSERT_EQ(finish(start({"run", experiment(keys + more), "-o", out})), commands::kExitOk)
        << read(scratch_ / "stderr");
  }
  for (const fs::path& file : {graph, trace}) {
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  }
  EXPECT_EQ(finish(start({"report", scratch_, "--data", scratch_ / "page.json"})),
            commands::kExitOk)
      << read(scratch_ / "stderr");
}

TEST_F(Simulation, AFailureThatStopsEverythingIsNamed) {
  const std::string file = experiment(
      "backing: simulated\nalgorithm: ring\nwiring: single-switch(4)\nelements: 400000\n"
      "failures: [{host: 2, at: 1us}]\n");
  EXPECT_EQ(finish(start({"run", file, "-o", scratch_ / "run"})), commands::kExitDeadline);
  EXPECT_THAT(read(scratch_ / "stderr"), AllOf(HasSubstr("rank 2"), HasSubstr("down: host 2")));
}

// Every point that was done before Ctrl-C is kept. The second takes minutes.
TEST_F(Simulation, CtrlCKeepsThePointsThatAreDone) {
  const std::string file = experiment(
      "backing: simulated\nalgorithm: ps\nelements: 3000017\n"
      "sweep: {product: {wiring: [single-switch(4), \"fat-tree(12, ecmp)\"]}}\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start({"run", file, "-o", out});
  await_samples(out, 1);
  ::kill(run, SIGINT);
  EXPECT_EQ(finish(run), 130);
  EXPECT_EQ(column(out, "/gst_us/median").size(), 1u);
}

}  // namespace
}  // namespace gradwire::harness
