// What a run leaves, used as a user uses it: gone on with, listed, shown, reported.
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/harness/program.h"

namespace gradwire::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Results : public Program {
 protected:
  int run(const std::vector<std::string>& arguments) { return measure(arguments); }
  [[nodiscard]] std::string output() const { return read(scratch_ / "stdout"); }
  [[nodiscard]] std::string errors() const { return read(scratch_ / "stderr"); }

  /// How often each measured iteration of each point was measured.
  [[nodiscard]] std::map<std::pair<std::string, int>, int> measured(const fs::path& folder) const {
    std::map<std::pair<std::string, int>, int> times;
    std::ifstream lines(folder / "samples.ndjson");
    for (std::string text; std::getline(lines, text);) {
      const json line = json::parse(text);
      if (!line.at("warmup").get<bool>()) ++times[{line.at("key"), line.at("iteration")}];
    }
    return times;
  }

  [[nodiscard]] std::string two_points() const {
    return experiment(
        "dilation: 4\nelements: 30000\nwarmup: 1\niterations: 60\ntimeout: 5s\n"
        "sweep: {zip: {algorithm: [ring, bml], wiring: [single-switch(3), \"bcube(2,2)\"]}}\n");
  }

  const std::string folder_ = scratch_ / "run";
};

// Killed in the middle, a run goes on where it stopped: every iteration of every point is measured
// once, and once is all.
TEST_F(Results, AKilledRunGoesOnWhereItStopped) {
  const pid_t killed = start_measuring({"run", two_points(), "--out", folder_}, folder_, 30);
  ::kill(killed, SIGKILL);
  EXPECT_EQ(finish(killed), 128 + SIGKILL);
  const auto before = measured(folder_);
  ASSERT_GT(before.size(), 0u);
  ASSERT_LT(before.size(), 120u);

  ASSERT_EQ(run({"run", "--resume", folder_}), commands::kExitOk) << errors();
  const auto after = measured(folder_);
  EXPECT_EQ(after.size(), 120u) << "two points, 60 iterations";
  for (const auto& [point, times] : after) EXPECT_EQ(times, 1) << point.first << point.second;
  EXPECT_THAT(output(), HasSubstr("resumed: its iterations are of several runs"));
  EXPECT_THAT(output(), HasSubstr("wrong elements in all: 0"));

  const std::size_t samples_before = samples(folder_);
  ASSERT_EQ(run({"run", "--resume", folder_}), commands::kExitOk);
  EXPECT_THAT(errors(), HasSubstr("nothing is left"));
  EXPECT_EQ(samples(folder_), samples_before);
  const std::string printed = output();
  ASSERT_EQ(run({"results", "show", folder_}), commands::kExitOk);
  EXPECT_EQ(output(), printed);
  ASSERT_EQ(run({"results", "list", scratch_}), commands::kExitOk);
  EXPECT_THAT(output(), HasSubstr("complete"));

  ASSERT_EQ(run({"run", "--resume", folder_, "-n", "65"}), commands::kExitOk) << errors();
  EXPECT_EQ(measured(folder_).size(), 130u) << "more of each";
}

// Every emulated point was predicted before it was measured; causes stand beside the folders of runs.
TEST_F(Results, PredictionsAreComparedWithWhatWasMeasured) {
  ASSERT_EQ(run({"run", two_points(), "--out", folder_, "-n", "6"}), commands::kExitOk) << errors();
  ASSERT_EQ(run({"results", "predictions", scratch_}), commands::kExitOk) << errors();
  EXPECT_THAT(output(), HasSubstr("of 2 pairs count"));
  EXPECT_THAT(output(), HasSubstr("bcube(2,2)"));

  const fs::path causes = fs::path(scratch_) / "causes.txt";
  std::ofstream(causes) << "feedfeedfeedfeed It was invented.\n";
  ASSERT_EQ(run({"results", "predictions", scratch_}), commands::kExitOk) << errors();
  EXPECT_THAT(output(),
              HasSubstr("feedfeedfeedfeed is no outlier, but has a cause: It was invented."));
  std::ofstream(causes) << "lonely\n";
  ASSERT_EQ(run({"results", "predictions", scratch_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("causes.txt:1:1: "));
}

// What was asked for when a run was resumed is still asked for the next time.
TEST_F(Results, ResumingRemembersWhatWasAsked) {
  const std::string file = experiment(
      "backing: simulated\ncompute: {trace: googlenet-k80}\nalgorithm: ring\n"
      "wiring: single-switch(4)\nschedule: wfbp\niterations: 6\n");
  const auto job = [&] {
    const json results = json::parse(read(fs::path(folder_) / "results.json"));
    const json& training = results.at("rows").at(0).at("training");
    return training.at("jct_us").get<double>() /
           training.at("iteration_us").at("median").get<double>();
  };
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  EXPECT_NEAR(job(), 6, 1e-6);
  ASSERT_EQ(run({"run", "--resume", folder_, "-n", "60"}), commands::kExitOk) << errors();
  EXPECT_NEAR(job(), 60, 1e-6);
  EXPECT_EQ(samples(folder_), 1u) << "a simulation would give the same again";
  ASSERT_EQ(run({"run", "--resume", folder_}), commands::kExitOk) << errors();
  EXPECT_THAT(errors(), HasSubstr("nothing is left"));
  EXPECT_NEAR(job(), 60, 1e-6);
  EXPECT_EQ(run({"run", "--resume", folder_, "--trace-iterations", "5"}), commands::kExitUsage);
}

TEST_F(Results, AResumedRunRefusesOtherSettings) {
  const std::string file =
      experiment("backing: simulated\nelements: 9000\nalgorithm: bml\nwiring: \"bcube(3,2)\"\n");
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  EXPECT_EQ(run({"run", "--resume", folder_, "--rate", "2Gbit"}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("--rate is settled when a run begins"));
  EXPECT_EQ(run({"run", file, "--resume", folder_}), commands::kExitUsage);
  EXPECT_EQ(run({"run", "--resume", scratch_ / "absent"}), commands::kExitUsage);
  EXPECT_EQ(run({"run"}), commands::kExitUsage);
}

// A trace that is no longer what it was would be another experiment.
TEST_F(Results, AResumedRunRefusesATraceThatChanged) {
  const auto write_trace = [&](const char* backward) {
    std::ofstream(scratch_ / "trace.csv") << "tensor,elements,forward_us,backward_us\n"
                                          << "one,1000,5," << backward << "\n";
  };
  write_trace("7");
  const std::string file = experiment(
      "backing: simulated\ncompute: {trace: trace.csv}\nalgorithm: bml\n"
      "wiring: \"bcube(3,2)\"\nschedule: wfbp\n");
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  write_trace("8");
  EXPECT_EQ(run({"run", "--resume", folder_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("is no longer what was measured"));
}

TEST_F(Results, DamageIsNamedAndTheExitCodeSaysSo) {
  const std::string file = experiment(
      "backing: simulated\nelements: 9000\nalgorithm: bml\n"
      "sweep: {product: {wiring: [\"bcube(2,2)\", \"bcube(3,2)\"]}}\n");
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  std::string samples = read(fs::path(folder_) / "samples.ndjson");
  samples[samples.find("\"gst_ns\":") + 9] ^= 1;
  std::ofstream(fs::path(folder_) / "samples.ndjson") << samples;
  EXPECT_EQ(run({"results", "show", folder_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("samples.ndjson:1: is damaged"));
  EXPECT_THAT(output(), HasSubstr("bcube(3,2)")) << "the rest is shown";
  EXPECT_THAT(output(), Not(HasSubstr("bcube(2,2)")));
}

TEST_F(Results, APageIsOneFile) {
  const std::string file =
      experiment("backing: simulated\nelements: 9000\nalgorithm: bml\nwiring: \"bcube(3,2)\"\n");
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  const std::string page = scratch_ / "report.html";
  const int exit_code = run({"report", folder_, "-o", page});
  if (errors().find("without the report page") != std::string::npos) {
    GTEST_SKIP() << "built without the report page: npm is missing";
  }
  ASSERT_EQ(exit_code, commands::kExitOk) << errors();
  EXPECT_THAT(read(page), HasSubstr("\"wiring\":\"bcube(3,2)\""));
  EXPECT_THAT(read(page), Not(HasSubstr("@GRADWIRE_DATA@")));

  ASSERT_EQ(run({"report", folder_, "--paper", scratch_ / "figures"}), commands::kExitOk)
      << errors();
  std::size_t figures = 0;
  for (const auto& figure : fs::directory_iterator(scratch_ / "figures")) {
    EXPECT_THAT(read(figure.path()), StartsWith("<svg")) << figure.path();
    ++figures;
  }
  EXPECT_GE(figures, 3u) << "the times, the wiring, the timeline";
}

TEST_F(Results, AHostileNameStaysText) {
  const std::string file = experiment(
      "description: \"</script><script>alert(1)</script>\"\n"
      "backing: simulated\nelements: 9000\nalgorithm: bml\nwiring: \"bcube(3,2)\"\n");
  ASSERT_EQ(run({"run", file, "--out", folder_}), commands::kExitOk) << errors();
  const std::string page = scratch_ / "report.html";
  if (run({"report", folder_, "-o", page}) != commands::kExitOk) GTEST_SKIP() << errors();
  EXPECT_THAT(read(page), HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
  EXPECT_THAT(read(page), Not(HasSubstr("<script>alert(1)")));
}

TEST_F(Results, SchemasArePrinted) {
  ASSERT_EQ(run({"results", "schema"}), commands::kExitOk);
  std::istringstream names(output());
  int count = 0;
  for (std::string name; std::getline(names, name); ++count) {
    ASSERT_EQ(run({"results", "schema", name}), commands::kExitOk);
    EXPECT_TRUE(json::parse(output()).contains("title")) << name;
  }
  EXPECT_GE(count, 7);
}

}  // namespace
}  // namespace gradwire::testing
