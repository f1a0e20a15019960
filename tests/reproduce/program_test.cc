#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "reproduce/read_runs.h"
#include "results/record/stored_run.h"

namespace gradwire::reproduce {
namespace {

namespace fs = std::filesystem;

/// A run of quickstart's rows in virtual time, in a folder of its own.
class Folder {
 public:
  Folder() {
    fs::remove_all(path_);
    fs::create_directories(path_);
    const std::string run = std::string(GRADWIRE_PROGRAM) +
                            " run " GRADWIRE_ROOT
                            "/experiments/quickstart.yaml --backing simulated --out " +
                            (path_ / "quickstart").string() + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0);
  }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_ = fs::temp_directory_path() / ("gradwire-reproduce-" + std::to_string(getpid()));
};

TEST(Program, JudgesThePartOfTheRunsThatIsThere) {
  const Folder folder;
  const std::string command =
      std::string(GRADWIRE_REPRODUCE) + " --json --from " + folder.path().string();
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0);
  const nlohmann::json document = nlohmann::json::parse(text);
  EXPECT_EQ(document["claims"].size(), 58u);
  EXPECT_EQ(document["claims"][4]["simulated"], "0.8889 T_F (+0.0 %)");
  EXPECT_EQ(document["claims"][4]["measured"], "not run");
  EXPECT_TRUE(document["problems"].empty());
}

/// Puts run-all into a tree, with an experiment in one folder that another folder lists.
void make_tree(const fs::path& tree, const char* experiments, const char* published,
               const std::string& line) {
  for (const fs::path part : {"reproduce", experiments, published}) {
    fs::create_directories(tree / part);
  }
  fs::copy_file(GRADWIRE_ROOT "/reproduce/run-all", tree / "reproduce/run-all");
  std::ofstream(tree / experiments / "tiny.yaml")
      << "gradwire: 1\nname: tiny\nlink: {rate: 1Gbit}\nelements: 900\nalgorithm: ring\n"
         "wiring: single-switch(3)\n";
  std::ofstream(tree / published / "experiments.txt") << line;
}

/// Its exit status.
int run_all(const fs::path& tree, const std::string& folders) {
  const std::string command =
      (tree / "reproduce/run-all").string() + " " GRADWIRE_PROGRAM + folders;
  return std::system((command + " > /dev/null 2>&1").c_str());
}

// `make reproduce` publishes evidence: what can be made again from the rest is left out.
TEST(RunAll, PublishesWhatCannotBeMadeAgain) {
  const Folder folder;
  const fs::path tree = folder.path();
  make_tree(tree, "experiments", "results/published", "tiny --backing simulated\n");
  ASSERT_EQ(run_all(tree, ""), 0);
  const fs::path published = tree / "results/published/tiny";
  const record::StoredRun run = record::read_run(published);
  EXPECT_EQ(run.status, record::RunStatus::complete);
  EXPECT_TRUE(run.problems.empty());
  EXPECT_FALSE(fs::exists(published / "results.json"));
  EXPECT_FALSE(fs::exists(published / "timelines.ndjson"));
  EXPECT_FALSE(fs::exists(tree / "results/published.new")) << "nothing is left to be done";
}

// `make prediction` has folders of its own, and runs what needs RDMA devices where some are. A virtual
// machine that does not come to its end, as this one when it is first booted, is tried once more.
TEST(RunAll, TakesOtherFoldersAndTheVirtualMachine) {
  const Folder folder;
  const fs::path tree = folder.path();
  make_tree(tree, "experiments/prediction", "results/prediction",
            "# the only one\n\ntiny in-vm --backing simulated\n");
  fs::create_directories(tree / "roce");
  const fs::path machine = tree / "roce/run-in-vm";
  std::ofstream(machine) << "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\n"
                            "if [ ! -e roce/booted ]; then touch roce/booted; exit 125; fi\n"
                            "exec \"$@\"\n";
  fs::permissions(machine, fs::perms::owner_exec, fs::perm_options::add);
  ASSERT_EQ(run_all(tree, " experiments/prediction results/prediction"), 0);
  EXPECT_TRUE(fs::exists(tree / "roce/booted"));
  EXPECT_EQ(record::read_run(tree / "results/prediction/tiny").status, record::RunStatus::complete);
  EXPECT_FALSE(fs::exists(tree / "results/published"));
}

TEST(Program, WhatIsNoRunIsAProblemAndNoMore) {
  const Folder folder;
  fs::create_directories(folder.path() / "nothing");
  fs::rename(folder.path() / "quickstart", folder.path() / "figure5");
  const FoundRuns found = read_runs(folder.path());
  EXPECT_EQ(found.runs.all().size(), 1u);
  ASSERT_EQ(found.problems.size(), 2u);
  EXPECT_NE(found.problems[0].find("holds a run of quickstart"), std::string::npos);
  EXPECT_EQ(read_runs(folder.path() / "no-such").problems.size(), 1u);
}

}  // namespace
}  // namespace gradwire::reproduce
