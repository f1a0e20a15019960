#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "results/record/stored_run.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::claims {
namespace {

namespace fs = std::filesystem;
using record::ScratchFolder;

void make_program(const fs::path& path, const std::string& script) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << script;
  fs::permissions(path, fs::perms::owner_exec, fs::perm_options::add);
}

/// A tree in which run-all finds the experiments tiny and other, and a list of what to run.
class Tree {
 public:
  Tree(const char* experiments, const char* published, const std::string& list)
      : published_(root_ / published), folders_(std::string(experiments) + " " + published) {
    for (const fs::path part : {"results/claims", experiments, published}) {
      fs::create_directories(root_ / part);
    }
    fs::copy_file(GRADWIRE_ROOT "/results/claims/run-all", root_ / "results/claims/run-all");
    for (const std::string name : {"tiny", "other"}) {
      std::ofstream(root_ / experiments / (name + ".yaml"))
          << "gradwire: 1\nname: " << name
          << "\nlink: {rate: 1Gbit}\nelements: 900\nalgorithm: ring\nwiring: single-switch(3)\n";
    }
    std::ofstream(published_ / "experiments.txt") << list;
  }

  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] const fs::path& published() const { return published_; }
  [[nodiscard]] fs::path attempts() const { return published_.string() + ".new"; }

  /// Runs everything with `gradwire`, or what is in `only`, and returns its exit status.
  int run_all(const std::string& gradwire = GRADWIRE_PROGRAM, const std::string& only = "") {
    const fs::path output = root() / "output.txt";
    const std::string command = "ONLY='" + only + "' " +
                                (root() / "results/claims/run-all").string() + " " + gradwire +
                                " " + folders_ + " > " + output.string() + " 2>&1";
    const int status = std::system(command.c_str());
    output_ = read(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// What the last call printed.
  [[nodiscard]] const std::string& output() const { return output_; }

  /// Seconds by experiment.
  [[nodiscard]] std::map<std::string, int> times() const {
    std::map<std::string, int> found;
    std::ifstream file(published_ / "times.txt");
    std::string name;
    for (int seconds = 0; file >> name >> seconds;) found[name] += seconds;
    return found;
  }

 private:
  [[nodiscard]] static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  ScratchFolder folder_;
  fs::path root_ = folder_ / "tree";
  fs::path published_;
  std::string folders_;
  std::string output_;
};

// `make reproduce` publishes evidence: what can be made again from the rest is left out.
TEST(RunAll, PublishesWhatCannotBeMadeAgain) {
  Tree tree("experiments", "results/published", "tiny --backing simulated\n");
  ASSERT_EQ(tree.run_all(), 0) << tree.output();
  const fs::path published = tree.published() / "tiny";
  const record::StoredRun run = record::read_run(published);
  EXPECT_EQ(run.status, record::RunStatus::complete);
  EXPECT_TRUE(run.problems.empty());
  EXPECT_FALSE(fs::exists(published / "results.json"));
  EXPECT_FALSE(fs::exists(published / "timelines.ndjson"));
  EXPECT_FALSE(fs::exists(tree.attempts())) << "nothing is left to be done";
}

// `make prediction` has folders of its own, and runs what needs RDMA devices where some are. A virtual
// machine that does not come to its end, as this one when it is first booted, is tried once more.
TEST(RunAll, TakesOtherFoldersAndTheVirtualMachine) {
  Tree tree("experiments/prediction", "results/prediction",
            "# the only one\n\ntiny in-vm --backing simulated\n");
  make_program(tree.root() / "testbed/roce/run-in-vm",
               "while [ \"$1\" != -- ]; do shift; done\nshift\n"
               "if [ ! -e testbed/roce/booted ]; then touch testbed/roce/booted; exit 125; fi\n"
               "exec \"$@\"\n");
  ASSERT_EQ(tree.run_all(), 0) << tree.output();
  EXPECT_TRUE(fs::exists(tree.root() / "testbed/roce/booted"));
  EXPECT_EQ(record::read_run(tree.published() / "tiny").status, record::RunStatus::complete);
  EXPECT_FALSE(fs::exists(tree.root() / "results/published"));
}

// The time left is the sum of what took place before: 7200 + 600 s, then 600 s.
TEST(RunAll, SaysWhatIsLeftByWhatEachTookLast) {
  Tree tree("experiments", "results/published",
            "tiny --backing simulated\nother --backing simulated\n");
  std::ofstream(tree.published() / "times.txt") << "gone 1\nother 600\ntiny 7200\n";
  ASSERT_EQ(tree.run_all(), 0) << tree.output();
  EXPECT_NE(tree.output().find("== tiny, 1 of 2, 130 min left: "), std::string::npos)
      << tree.output();
  EXPECT_NE(tree.output().find("== other, 2 of 2, 10 min left: "), std::string::npos)
      << tree.output();
  EXPECT_NE(tree.output().find("== tiny took "), std::string::npos) << tree.output();
  EXPECT_NE(tree.output().find("== all of these took "), std::string::npos) << tree.output();
  const std::map<std::string, int> times = tree.times();
  EXPECT_EQ(times.at("gone"), 1) << "of another list, which is nobody's to change";
  EXPECT_LT(times.at("other"), 600);
  EXPECT_LT(times.at("tiny"), 7200);
}

TEST(RunAll, SaysWhatWasNeverTimed) {
  Tree tree("experiments", "results/published",
            "tiny --backing simulated\nother --backing simulated\n");
  std::ofstream(tree.published() / "times.txt") << "tiny 119\n";
  ASSERT_EQ(tree.run_all(), 0) << tree.output();
  EXPECT_NE(tree.output().find("== tiny, 1 of 2, 119 s left and 1 never timed: "),
            std::string::npos)
      << tree.output();
  ASSERT_EQ(tree.run_all(GRADWIRE_PROGRAM, "other"), 0) << tree.output();
  EXPECT_EQ(tree.output().find("tiny"), std::string::npos) << tree.output();
  EXPECT_EQ(tree.output().find("never timed"), std::string::npos) << tree.output();
}

// An interrupted attempt counts: each is of one second at least, so two make two.
TEST(RunAll, AddsUpTheAttemptsOfWhatWasInterrupted) {
  Tree tree("experiments", "results/published", "tiny --backing simulated\n");
  const fs::path program = tree.root() / "interrupted";
  make_program(program,
               "mkdir -p results/published.new/tiny\n"
               "cp experiments/tiny.yaml results/published.new/tiny/experiment.yaml\n"
               "touch results/published.new/tiny/points.ndjson\n"
               "exit 130\n");
  ASSERT_EQ(tree.run_all(program.string()), 130) << tree.output();
  EXPECT_TRUE(tree.times().empty());
  make_program(program,
               "if [ \"$1 $2\" = \"run --resume\" ]; then rm -r \"$3\"; exec " GRADWIRE_PROGRAM
               " run experiments/tiny.yaml --backing simulated --out \"$3\"; fi\n"
               "exec " GRADWIRE_PROGRAM " \"$@\"\n");
  ASSERT_EQ(tree.run_all(program.string()), 0) << tree.output();
  EXPECT_GE(tree.times().at("tiny"), 2);
}

}  // namespace
}  // namespace gradwire::claims
