// Parts of a sweep's points, each run by a process of its own, put together: the whole.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace gradwire::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Eight points in virtual time, which need no namespaces.
constexpr const char* kSweep =
    "backing: simulated\ncompute: {trace: googlenet-k80}\n"
    "compare: {algorithm: ring, against: [ps]}\n"
    "sweep: {product: {algorithm: [ring, ps], wiring: [single-switch(4), single-switch(8)], "
    "schedule: [wfbp, none]}}\n";

class Points : public Program {
 protected:
  void SetUp() override {}  // does not ask whether the machine can emulate

  int run(const std::vector<std::string>& arguments) { return measure(arguments); }
  int shell(const std::string& commands) { return finish(start({"-c", commands}, StartIn::shell)); }
  [[nodiscard]] std::string output() const { return read(scratch_ / "stdout"); }
  [[nodiscard]] std::string errors() const { return read(scratch_ / "stderr"); }

  /// Runs part i of n into parts/<i>.
  int run_part(const std::string& file, int number, int of) {
    const std::string part = std::to_string(number);
    return run({"run", file, "--points", part + "/" + std::to_string(of), "-o", parts_ / part});
  }

  /// What a command prints of a folder, without the folder's name and when it began.
  [[nodiscard]] std::string printed(std::vector<std::string> command, const fs::path& folder) {
    command.push_back(folder);
    EXPECT_EQ(run(std::move(command)), commands::kExitOk) << errors();
    const json context = json::parse(read(folder / "context.json"));
    return without(without(output(), folder), context.at("started"));
  }

  [[nodiscard]] static std::string without(std::string text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.erase(at, word.size());
    }
    return text;
  }

  [[nodiscard]] json whole_page_of(const fs::path& folder) {
    const fs::path data = scratch_ / "page.json";
    EXPECT_EQ(run({"report", folder, "--data", data}), commands::kExitOk) << errors();
    return json::parse(read(data));
  }

  [[nodiscard]] json context_on_page(const fs::path& folder) {
    return whole_page_of(folder).at("runs").at(0).at("context");
  }

  /// What the page of a run shows, but for what names run, time and machine.
  [[nodiscard]] json page_of(const fs::path& folder) {
    json page = whole_page_of(folder);
    page.erase("generated");
    for (const char* own : {"folder", "started", "context"}) page.at("runs").at(0).erase(own);
    return page;
  }

  /// Folders and files beside `path` that somebody makes and has not finished.
  [[nodiscard]] std::vector<std::string> unfinished() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(scratch_)) {
      const std::string name = entry.path().filename();
      if (name.find(".partial-") != std::string::npos) names.push_back(name);
    }
    return names;
  }

  const fs::path parts_ = scratch_ / "parts";
  const fs::path whole_ = scratch_ / "whole";
  const fs::path merged_ = scratch_ / "merged";
};

// As docs/sweeps.md has it: three processes at once.
TEST_F(Points, PartsRunAtOnceAndMergedAreTheWhole) {
  const std::string file = experiment(kSweep);
  ASSERT_EQ(run({"run", file, "-o", whole_}), commands::kExitOk) << errors();
  const std::string table = without(output(), whole_);
  ASSERT_EQ(shell("seq 3 | xargs -P 3 -I{} " GRADWIRE_PROGRAM " run " + file +
                  " --points {}/3 -o " + parts_.string() + "/{}"),
            0)
      << errors();
  ASSERT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitOk) << errors();
  EXPECT_EQ(without(output(), merged_), table) << "it prints what the whole run prints";
  EXPECT_THAT(errors(), IsEmpty());

  for (const char* same :
       {"experiment.yaml", "points.ndjson", "samples.ndjson", "timelines.ndjson", "results.json"}) {
    EXPECT_EQ(read(merged_ / same), read(whole_ / same)) << same;
    EXPECT_THAT(read(whole_ / same), Not(IsEmpty())) << same;
  }
  EXPECT_EQ(printed({"results", "export", "--csv"}, merged_),
            printed({"results", "export", "--csv"}, whole_));
  EXPECT_EQ(page_of(merged_), page_of(whole_));
  const json context = json::parse(read(merged_ / "context.json"));
  EXPECT_EQ(context.at("experiment").at("planned"), 8);
  for (const json& part : context.at("parts")) EXPECT_TRUE(part.at("machine").contains("host"));
  const json shown = context_on_page(merged_);
  EXPECT_THAT(shown.at("parts").at(1).get<std::string>(), StartsWith("2/3 on "));
  ASSERT_EQ(run({"compare", whole_, merged_}), commands::kExitOk) << errors();
  EXPECT_THAT(output(), Not(HasSubstr("differs")));
}

TEST_F(Points, APartHasItsPointsAlone) {
  const std::string file = experiment(kSweep);
  ASSERT_EQ(run({"run", file, "--points", "2/3", "--dry-run"}), commands::kExitOk) << errors();
  EXPECT_THAT(output(), HasSubstr("8 points, of which part 2/3 is run"));
  ASSERT_EQ(run_part(file, 2, 3), commands::kExitOk) << errors();
  const json results = json::parse(read(parts_ / "2/results.json"));
  std::vector<int> points;
  for (const json& row : results.at("rows")) points.push_back(row.at("point"));
  EXPECT_EQ(points, (std::vector<int>{1, 4, 7}));
  ASSERT_EQ(run_part(file, 9, 9), commands::kExitOk) << errors();
  EXPECT_THAT(errors(), HasSubstr("part 9/9 has no points: the experiment has 8"));
  ASSERT_EQ(run({"results", "list", parts_ / "9"}), commands::kExitOk) << errors();
  EXPECT_THAT(output(), HasSubstr(" complete "));
}

TEST_F(Points, WhatIsNoPartIsRefused) {
  const std::string file = experiment(kSweep);
  for (const char* wrong : {"0/3", "4/3", "1/0", "1", "one/three", "-1/3", ""}) {
    EXPECT_EQ(run({"run", file, "--points", wrong, "-o", whole_}), commands::kExitUsage) << wrong;
    EXPECT_THAT(errors(), HasSubstr("--points")) << wrong;
  }
  const std::string emulated =
      experiment("algorithm: ring\nwiring: single-switch(3)\nelements: 9\n");
  EXPECT_EQ(run({"run", emulated, "--points", "1/2", "--dry-run"}), commands::kExitUsage);
  EXPECT_THAT(errors(), AllOf(HasSubstr("--points"), HasSubstr("--dilation 100")));
  EXPECT_FALSE(fs::exists(whole_));
}

// A part that is gone on with stays the part that it is.
TEST_F(Points, APartIsResumedAsAPart) {
  const std::string file = experiment(std::string(kSweep) + "iterations: 3\n");
  for (const int part : {1, 2}) {
    ASSERT_EQ(run_part(file, part, 2), commands::kExitOk) << errors();
  }
  EXPECT_EQ(run({"run", "--resume", parts_ / "1", "--points", "1/2"}), commands::kExitUsage);
  ASSERT_EQ(run({"run", "--resume", parts_ / "1"}), commands::kExitOk) << errors();
  EXPECT_THAT(errors(), HasSubstr("nothing is left"));
  ASSERT_EQ(run({"run", "--resume", parts_ / "1", "-n", "5"}), commands::kExitOk) << errors();
  EXPECT_EQ(samples(parts_ / "1"), 4u);
  EXPECT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("is of another experiment than"));
  ASSERT_EQ(run({"run", "--resume", parts_ / "2", "-n", "5"}), commands::kExitOk) << errors();
  ASSERT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitOk) << errors();
  ASSERT_EQ(run({"run", file, "-n", "5", "-o", whole_}), commands::kExitOk) << errors();
  EXPECT_EQ(read(merged_ / "results.json"), read(whole_ / "results.json"));

  const std::string before = read(merged_ / "context.json");
  EXPECT_EQ(run({"run", "--resume", merged_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("go on with each of them"));
  EXPECT_EQ(read(merged_ / "context.json"), before);
}

TEST_F(Points, APartOfATraceThatChangedIsNotGoneOnWith) {
  const auto write_trace = [&](const char* backward) {
    std::ofstream(scratch_ / "trace.csv") << "tensor,elements,forward_us,backward_us\n"
                                          << "one,1000,5," << backward << "\n";
  };
  const std::string file = experiment(
      "backing: simulated\ncompute: {trace: trace.csv}\nalgorithm: ring\nwiring: single-switch(3)\n"
      "sweep: {product: {schedule: [wfbp, none]}}\n");
  write_trace("7");
  ASSERT_EQ(run_part(file, 3, 3), commands::kExitOk) << errors();
  write_trace("8");
  ASSERT_EQ(run({"run", "--resume", parts_ / "3"}), commands::kExitUsage)
      << "although it has measured none of the points that changed";
  EXPECT_THAT(errors(), HasSubstr("points that are no longer what they were"));
  ASSERT_EQ(run_part(file, 1, 3), commands::kExitOk) << errors();
  EXPECT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("a trace or a graph that the experiment reads"));
}

TEST_F(Points, MissingPartsAreNamed) {
  const std::string file = experiment(kSweep);
  ASSERT_EQ(run_part(file, 2, 4), commands::kExitOk) << errors();
  EXPECT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("parts 1/4, 3/4, 4/4 are missing"));
  EXPECT_FALSE(fs::exists(merged_));
}

// Whenever it is killed, there is a whole run or none, and what was half made goes.
TEST_F(Points, AKilledMergeLeavesNothingHalf) {
  const std::string file = experiment(kSweep);
  for (const int part : {1, 2, 3}) {
    ASSERT_EQ(run_part(file, part, 3), commands::kExitOk) << errors();
  }
  ASSERT_EQ(run({"results", "merge", parts_, "-o", whole_}), commands::kExitOk) << errors();
  const std::string whole = read(whole_ / "results.json");
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t merge = start({"results", "merge", parts_, "-o", merged_});
    std::this_thread::sleep_for(i * 2ms);
    ::kill(merge, SIGKILL);
    if (finish(merge) == 128 + SIGKILL) ++killed;
    if (fs::exists(merged_)) {
      EXPECT_EQ(read(merged_ / "results.json"), whole);
    }
    fs::remove_all(merged_);
  }
  EXPECT_GT(killed, 0);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!unfinished().empty() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_THAT(unfinished(), IsEmpty()) << "the caretaker removes it";
}

/// The same with packets.
class EmulatedPoints : public Points {
 protected:
  void SetUp() override { Program::SetUp(); }
};

TEST_F(EmulatedPoints, KeepTheirCalibrations) {
  const std::string file = experiment(
      "backing: [emulated, simulated]\ndilation: 4\nelements: 30000\nwarmup: 1\niterations: 3\n"
      "timeout: 5s\nwiring: single-switch(3)\nsweep: {product: {algorithm: [ring, ps]}}\n");
  for (const int part : {1, 2}) {
    ASSERT_EQ(run_part(file, part, 2), commands::kExitOk) << errors();
  }
  ASSERT_EQ(run({"results", "merge", parts_, "-o", merged_}), commands::kExitOk) << errors();
  EXPECT_THAT(output(), HasSubstr("wrong elements in all: 0"));
  for (const char* part : {"1", "2"}) {
    const json calibration = json::parse(read(parts_ / part / "calibration.json"));
    EXPECT_EQ(json::parse(read(merged_ / ("calibration-" + std::string(part) + ".json"))),
              calibration);
  }
  const json results = json::parse(read(merged_ / "results.json"));
  std::vector<std::pair<std::string, int>> rows;
  for (const json& row : results.at("rows")) rows.emplace_back(row.at("backing"), row.at("point"));
  EXPECT_EQ(rows, (std::vector<std::pair<std::string, int>>{
                      {"emulated", 0}, {"emulated", 1}, {"simulated", 0}, {"simulated", 1}}));
  // Simulated again, each goes by what its own part found: its times are the stored ones.
  fs::remove(merged_ / "timelines.ndjson");
  const json page = page_of(merged_);
  EXPECT_THAT(page.at("runs").at(0).at("notes"), IsEmpty());
}

}  // namespace
}  // namespace gradwire::testing
