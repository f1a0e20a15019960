#include "program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kPatience;
using testing::Program;
using testing::read;

TEST_F(Program, MeasuresAndVerifiesAllAlgorithms) {
  const std::string file = experiment(
      "dilation: 10\nelements: 30011\nwarmup: 1\niterations: 6\n"
      "sweep:\n  zip:\n    algorithm: [ring, ps, bml]\n"
      "    wiring: [single-switch(4), fat-tree(2), \"bcube(2,2)\"]\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  EXPECT_EQ(samples(out), 3u * 7u);
  const auto rows = nlohmann::json::parse(read(out / "results.json")).at("rows");
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) EXPECT_EQ(row.at("wrong"), 0) << row;
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("# wrong elements in all: 0"));
  EXPECT_TRUE(fs::exists(out / "context.json"));
  EXPECT_TRUE(fs::exists(out / "calibration.json"));
  EXPECT_TRUE(marked().empty());
}

// Hundreds of iterations of a few bytes: what ports count are headers, and that is on plan.
TEST_F(Program, SmallMessagesAreOnPlan) {
  const std::string file = experiment(
      "dilation: 4\nelements: 12\nwarmup: 1\niterations: 1500\nalgorithm: ring\n"
      "wiring: single-switch(3)\n");
  const fs::path out = scratch_ / "run";
  ASSERT_EQ(measure({"run", file, "-o", out}), commands::kExitOk) << read(scratch_ / "stderr");
  EXPECT_THAT(read(out / "results.json"), ::testing::Not(HasSubstr("bytes-off-plan")));
}

/// A model of the user's own: 60,000 elements, 4 ms forward and 9 ms backward.
constexpr const char* kTrace =
    "# source: three layers, made up\n"
    "tensor,elements,forward_us,backward_us\n"
    "first,40000,2000,4000\n"
    "second,15000,1000,2500\n"
    "third,5000,1000,2500\n";

// A training job on its own trace, synchronized two ways: sums, costs, prediction, trace,
// comparison.
TEST_F(Program, TrainsPredictsAndTraces) {
  std::ofstream(scratch_ / "mine.csv") << kTrace;
  const std::string file = experiment(
      "dilation: 10\nwarmup: 1\niterations: 6\ncompute: {trace: mine.csv, load: cpu}\n"
      "sweep:\n  zip:\n    algorithm: [ps(per-tensor), bml]\n"
      "    wiring: [single-switch(4), \"bcube(2,2)\"]\n"
      "  product:\n    schedule: [wfbp, synceasgd]\n"
      "compare: {algorithm: bml, against: [ps(per-tensor)], published: 1-99 %}\n");
  const fs::path out = scratch_ / "run";
  const fs::path trace = scratch_ / "trace.json";
  ASSERT_EQ(measure({"run", file, "-o", out, "--trace", trace, "--trace-steps", "1:2"}),
            commands::kExitOk)
      << read(scratch_ / "stderr");
  const auto results = nlohmann::json::parse(read(out / "results.json"));
  ASSERT_EQ(results.at("rows").size(), 4u);
  for (const auto& row : results.at("rows")) {
    EXPECT_EQ(row.at("wrong"), 0);
    const auto& training = row.at("training");
    EXPECT_GE(training.at("iteration_us").at("median"), 13'000);
    EXPECT_GE(training.at("predicted_iteration_us"), 13'000);
    EXPECT_EQ(training.at("profile"), "measured: three layers, made up");
    EXPECT_FALSE(training.at("cost").at("points").empty());
  }
  EXPECT_EQ(results.at("comparison").at("pairs").size(), 2u);
  const auto events = nlohmann::json::parse(read(trace)).at("traceEvents");
  std::size_t computed = 0;
  for (const auto& event : events) computed += event.at("name") == "backward second" ? 1 : 0;
  EXPECT_EQ(computed, 4u * 4u * 2u) << "points, ranks and iterations";
  EXPECT_THAT(read(scratch_ / "stdout"),
              AllOf(HasSubstr("Jobs compared"), HasSubstr("published: 1-99 %"),
                    HasSubstr("# computing times measured: three layers, made up")));
  EXPECT_TRUE(marked().empty());
}

TEST_F(Program, RefusesATraceWithItsPlace) {
  const std::string file =
      experiment("compute: {trace: mine.csv}\nalgorithm: ring\nwiring: single-switch(2)\n");
  const auto refusal = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    std::ofstream(scratch_ / "mine.csv") << text;
    EXPECT_EQ(finish(start({"run", file})), commands::kExitUsage);
    return read(scratch_ / "stderr");
  };
  EXPECT_THAT(refusal(kTrace, ",backward_us", ",backwards"), HasSubstr("mine.csv:2:"));
  EXPECT_THAT(refusal(kTrace, ",2500\nthird", ",-2500\nthird"), HasSubstr("mine.csv:4:19: "));
  EXPECT_THAT(refusal(kTrace, ",2000", ",nan"), HasSubstr("mine.csv:3:13: "));
  std::ofstream(scratch_ / "mine.csv") << kTrace;
  EXPECT_EQ(finish(start({"schedule", "lenet5", "--trace", (scratch_ / "mine.csv").string()})),
            commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), AllOf(HasSubstr("mine.csv:3:7: "), HasSubstr("lenet5")));
}

// MG-WFBP's published sequence, from the program as a user runs it.
// What cannot be meant is refused before anything runs.
TEST_F(Program, RefusesTrainingJobsThatMakeNoSense) {
  const auto refusal = [&](const std::string& keys) {
    EXPECT_EQ(finish(start({"run", experiment(keys)})), commands::kExitUsage) << keys;
    return read(scratch_ / "stderr");
  };
  EXPECT_THAT(refusal("workload: lenet5\nbatch: 8\ncompute: {device: k80}\n"
                      "algorithm: ps(per-tensor)\nwiring: single-switch(2)\nschedule: optimum\n"),
              AllOf(HasSubstr("experiment.yaml:9:11: "), HasSubstr("busiest host")));
  EXPECT_THAT(refusal("workload: lenet5\nbatch: 8\ncompute: {device: k99}\n"
                      "algorithm: ring\nwiring: single-switch(2)\n"),
              AllOf(HasSubstr("experiment.yaml:6:19: "), HasSubstr("k80")));
  EXPECT_EQ(finish(start({"schedule", "lenet5", "--device", "k80", "--batch", "-1"})),
            commands::kExitUsage);
  EXPECT_EQ(finish(start({"schedule", "lenet5", "--device", "k80", "--beta", "-1"})),
            commands::kExitUsage);
  EXPECT_EQ(finish(start({"schedule", experiment(""), "--batch", "4"})), commands::kExitUsage);
}

TEST_F(Program, PlansTheShippedScalingExperiment) {
  const fs::path file = fs::path(GRADWIRE_ROOT) / "experiments" / "schedule-scaling.yaml";
  ASSERT_EQ(finish(start({"schedule", file})), commands::kExitOk) << read(scratch_ / "stderr");
  std::istringstream lines(read(scratch_ / "stdout"));
  std::vector<int> messages;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string wiring, workers, schedule;  // the others are the same in all rows
    int count = 0;
    words >> wiring >> workers >> schedule >> count;
    if (schedule == "mg-wfbp" && count > 0) messages.push_back(count);
  }
  EXPECT_EQ(messages, (std::vector{10, 6, 6, 5, 3, 2, 1, 1, 1, 1}));
}

// Every file runs; only the one that says so is for planning alone. For one that needs more memory
// than is free here, simulating it has to do.
TEST_F(Program, ShippedExperimentsAreValid) {
  for (const auto& entry : fs::directory_iterator(fs::path(GRADWIRE_ROOT) / "experiments")) {
    if (entry.path().extension() != ".yaml") continue;
    const bool planned = entry.path().stem() == "schedule-scaling";
    int exit_code = finish(start({"run", entry.path(), "--dry-run"}));
    if (read(scratch_ / "stderr").find("more than this machine can give") != std::string::npos) {
      exit_code = finish(start({"run", entry.path(), "--dry-run", "--backing", "simulated"}));
    }
    EXPECT_EQ(exit_code, planned ? commands::kExitUsage : commands::kExitOk)
        << entry.path() << read(scratch_ / "stderr");
  }
}

// Twelve points on two wirings, all of them begun before the first is measured a second time.
TEST_F(Program, ManyPointsInTurnsHaveOneWorkerPerHost) {
  constexpr std::size_t kPoints = 12;
  constexpr std::size_t kHosts = 4 + 3;
  const std::string file = experiment(
      "dilation: 10\nwarmup: 0\niterations: 100000\nsweep:\n  zip:\n"
      "    wiring: [\"bcube(2,2)\", single-switch(3)]\n    algorithm: [bml, ring]\n"
      "  product: {elements: [1000, 2000, 3000, 4000, 5000, 6000]}\n");
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", file, "-o", out}, out, 2 * kPoints);
  EXPECT_EQ(workers().size(), kHosts);
  ::kill(run, SIGINT);
  EXPECT_EQ(finish(run), commands::kSignalled + SIGINT);
  EXPECT_EQ(workers().size(), 0u);
}

// One by one they fit; nothing is built for all of them.
TEST_F(Program, RefusesPointsThatTakeMoreTogetherThanThereIs) {
  const std::string lines =
      "dilation: 10\nwiring: \"bcube(3,2)\"\nsweep:\n  product:\n    algorithm: [bml, ring]\n"
      "    elements: [1000, 2000, 3000, 4000, 5000, 6000]\n";
  const auto run = [this](const std::string& file) {
    const std::string program = GRADWIRE_PROGRAM;
    return finish(
        start({"-c", "ulimit -n 64; exec " + program + " run --dry-run " + file}, StartIn::shell));
  };
  EXPECT_EQ(run(experiment(lines)), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"),
              AllOf(HasSubstr("12 points that are measured in turns"),
                    HasSubstr("84 open files in a process, 20 more than it may have (ulimit -n)")));
  EXPECT_EQ(run(experiment(lines + "interleave: false\n")), commands::kExitOk);
}

TEST_F(Program, RefusesABadFileWithItsPlace) {
  const std::string file = experiment("iteratons: 3\n");
  EXPECT_EQ(finish(start({"run", file})), commands::kExitUsage);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("experiment.yaml:4:1: "));
  EXPECT_EQ(finish(start({"topo", "show", "bcube(1000000,9)"})), commands::kExitUsage);
  EXPECT_EQ(finish(start({"plan", "bml", "single-switch(4)", "--elements", "9"})),
            commands::kExitUsage);
  EXPECT_EQ(finish(start({"worker"})), commands::kExitUsage);
  EXPECT_EQ(finish(start({"no-such-command"})), commands::kExitUsage);
}

TEST_F(Program, AKilledWorkerIsNamed) {
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", endless(), "-o", out}, out, 3);
  const auto all = workers();
  ASSERT_EQ(all.size(), 4u);
  ::kill(all[2], SIGKILL);
  EXPECT_EQ(finish(run), commands::kExitRunFailed);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("was killed by signal 9"));
  EXPECT_TRUE(fs::exists(out / "results.json")) << "what was measured is kept";
  EXPECT_TRUE(marked().empty());
}

// At whatever a training job is doing: measuring costs, computing, or synchronizing. Once there is
// a calibration, the only workers are those of the job, which goes on for ever.
TEST_F(Program, AWorkerKilledWhileTrainingIsNamed) {
  std::ofstream(scratch_ / "mine.csv") << kTrace;
  const std::string file = experiment(
      "dilation: 4\niterations: 100000\ntimeout: 2s\ncompute: {trace: mine.csv}\n"
      "algorithm: bml\nwiring: \"bcube(2,2)\"\n");
  for (const auto delay : {0ms, 150ms, 300ms, 450ms, 600ms, 1100ms}) {
    const fs::path out = scratch_ / ("run" + std::to_string(delay.count()));
    const pid_t run = start({"run", file, "-o", out});
    const auto until = std::chrono::steady_clock::now() + kPatience;
    const auto is_begun = [&] {
      return fs::exists(out / "calibration.json") && workers().size() == 4;
    };
    while (!is_begun() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(2ms);
    }
    std::this_thread::sleep_for(delay);
    const auto all = workers();
    ASSERT_EQ(all.size(), 4u) << read(scratch_ / "stderr");
    ::kill(all[2], SIGKILL);
    EXPECT_EQ(finish(run), commands::kExitRunFailed) << delay.count();
    EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("was killed by signal 9"));
    EXPECT_TRUE(marked().empty());
  }
}

TEST_F(Program, AStoppedWorkerIsNamed) {
  const fs::path out = scratch_ / "run";
  const pid_t run = start_measuring({"run", endless(), "-o", out}, out, 3);
  const auto all = workers();
  ASSERT_EQ(all.size(), 4u);
  // Stopped between two iterations it is only late for the rendezvous; stopped in one it stalls.
  ::kill(all[1], SIGSTOP);
  EXPECT_EQ(finish(run), commands::kExitDeadline);
  EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr("stands still (state T: stopped by signal 19)"));
  EXPECT_TRUE(marked().empty());
}

}  // namespace
}  // namespace gradwire::harness
